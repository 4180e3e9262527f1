"""A user's own policy, read from a file or frame of states and actions. docs/use/policies.md describes the format."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.csv_files import place_of
from dicebase.catalog.ask.files import KINDS, kind_of, pieces
from dicebase.catalog.ask.many_positions import as_table
from dicebase.matches.duels.duel_matchups import OPTIMAL
from dicebase.tables.names import Variant
from dicebase.vocabulary import Column, ConfigurationError, nearest, need, shown, words

Given = str | Path | object
"""A policy as users give it: a name, a file, or a frame of Arrow, pandas or Polars."""

ACTION, PROBABILITY, EXCEPT = "action", "probability", " except "
MISSING = "states are missing that a match can reach (if the file lists exceptions, give 'NAME except FILE')"
SHOWN = 3  # errors of one kind that a message lists
SUM = 1e-9  # tolerance of the sum of probabilities


def base_of(given: Given) -> tuple[str, Given | None]:
    """Return (name or formula, file or frame) of a policy: of `NAME except FILE` both, otherwise one of them. Raises
    ConfigurationError for an empty text."""
    if not isinstance(given, str):
        return "", given
    need(given.strip(), f"policy: '{given}' is empty; give {OPTIMAL}, another policy or a file")
    base, between, file = given.rpartition(EXCEPT)
    if between:
        return base, file
    return ("", given) if given.lower().endswith(tuple(KINDS)) else (given, None)


def read_policy(given: Given, columns: Sequence[Column] = ()) -> tuple[pa.Table, str]:
    """Return (rows of a file or frame, its name); raises ConfigurationError if it cannot be read. `columns` says which
    columns are texts, even if they look like numbers."""
    if isinstance(given, str | Path):
        parts = pieces(kind_of(Path(given)), Path(given), [c.name for c in columns if c.kind is str])
        table, place = pa.concat_tables(part for part, _ in parts), str(Path(given))
    else:
        table, place = as_table(given, "policy"), "policy"
    need(len({*table.column_names}) == len(table.column_names), f"{place}: has a column twice")
    return table, place


class PolicyRows:
    """The rows of a policy, checked one by one and together; each failure raises a ConfigurationError that lists the
    first few states.

    states : (n, columns) integers; a text is the index in `texts`.
    action : (n,) index in `actions`.
    probability : (n,).
    """

    def __init__(
        self, table: pa.Table, place: str, variant: Variant, columns: Sequence[Column], actions: Sequence[str]
    ):
        self.place, self.columns, self.actions = place, [c.name for c in columns], list(actions)
        self.texts: dict[int, list[str]] = {}  # {index of a column: its distinct texts}
        self._check_columns(table, variant)
        for name, value in variant.items():
            if name in table.column_names:
                same = [text == str(value) for text in self._texts(table, name)]
                self._check_rows(table, name, same, f"{value}; give the rows of one variant")
        entries = [self._entries(table, i, column) for i, column in enumerate(columns)]
        self.states = np.stack(entries, axis=1)
        self.action = self._numbers(pa.chunked_array([self._texts(table, ACTION)], pa.string()))
        self.mixed = PROBABILITY in table.column_names
        self.probability = self._probabilities(table) if self.mixed else np.ones(len(self.states))
        self._check_sums()

    def refuse(self, what: str, states: np.ndarray | list[tuple], extra: Sequence[str] = ()) -> None:
        """Raise ConfigurationError if `states`, (n, columns) or tuples, is not empty; `extra` adds a text to each."""
        if len(states):
            first = self.as_given(states[:SHOWN]) if isinstance(states, np.ndarray) else states[:SHOWN]
            shown = [words(dict(zip(self.columns, state, strict=True))) for state in first]
            shown = [f"{text}{more}" for text, more in zip(shown, extra or [""] * len(shown), strict=False)]
            more = f" and {len(states) - SHOWN} more" if len(states) > SHOWN else ""
            raise ConfigurationError(f"{self.place}: {what}: {'; '.join(shown)}{more}")

    def as_given(self, states: np.ndarray) -> list[tuple[int | str, ...]]:
        """The states as tuples, with texts in place of indices."""
        columns = enumerate(states.T.tolist())
        return [*zip(*([self.texts[i][x] for x in c] if i in self.texts else c for i, c in columns), strict=True)]

    def _check_columns(self, table: pa.Table, variant: Variant) -> None:
        known = [*variant, *self.columns, ACTION, PROBABILITY]
        for name in table.column_names:
            if name not in known:
                raise ConfigurationError(f"{self.place}: '{name}' is not a column of a policy{nearest(name, known)}")
        for name in [*self.columns, ACTION]:
            need(name in table.column_names, f"{self.place}: has no column '{name}'")
        need(table.num_rows > 0, f"{self.place}: has no rows")

    def _texts(self, table: pa.Table, name: str) -> list[str]:
        try:
            return table[name].cast(pa.string()).to_pylist()
        except pa.ArrowException as error:
            raise ConfigurationError(f"{self.place}: '{name}' is neither a number nor a text") from error

    def _entries(self, table: pa.Table, place: int, of: Column) -> np.ndarray:
        name, column = of.name, table[of.name]
        if of.kind is str:
            texts, numbers = np.unique(np.array(self._texts(table, name), str), return_inverse=True)
            self.texts[place] = texts.tolist()
            return numbers.ravel()
        if not pa.types.is_integer(column.type) or column.null_count:
            self._check_rows(table, name, [*map(_is_whole, column.to_pylist())], "a whole number")
            raise ConfigurationError(f"{self.place}: '{name}' is {column.type}, not whole numbers")
        return column.to_numpy().astype(np.int64)

    def _check_rows(self, table: pa.Table, name: str, right: list[bool], what: str) -> None:
        """Raise ConfigurationError for the first row whose value is not right."""
        if not all(right):
            row = right.index(False)
            value = shown(table[name][row].as_py())
            raise ConfigurationError(f"{place_of(Path(self.place), row)}: {name}={value} is not {what}")

    def _numbers(self, column: pa.ChunkedArray) -> np.ndarray:
        numbers = pc.index_in(column, pa.array(self.actions)).to_numpy()
        illegal = ~np.isfinite(numbers.astype(float))
        said = [f" action={x}" for x in column.filter(pa.array(illegal)).slice(0, SHOWN).to_pylist()]
        self.refuse(f"not one of the actions {', '.join(self.actions)}", self.states[illegal], said)
        return numbers.astype(np.int64)

    def _probabilities(self, table: pa.Table) -> np.ndarray:
        column = table[PROBABILITY]
        if not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
            self._check_rows(table, PROBABILITY, [*map(_is_number, column.to_pylist())], "a number")
            raise ConfigurationError(f"{self.place}: '{PROBABILITY}' is {column.type}, not numbers")
        found = column.to_numpy().astype(float)
        self.refuse("a probability is not from 0 to 1", self.states[~((found >= 0) & (found <= 1))])
        return found

    def _check_sums(self) -> None:
        rows = np.column_stack([self.states, self.action])
        _, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
        self.refuse("a state and action occur twice", self.states[np.sort(first[count > 1])])
        states, index = np.unique(self.states, axis=0, return_inverse=True)
        sums = np.bincount(index.ravel(), self.probability)
        wrong = np.abs(sums - 1) > SUM
        if self.mixed:
            said = [f" sum={total!r}" for total in sums[wrong][:SHOWN].tolist()]
            self.refuse("probabilities do not sum to 1", states[wrong], said)
        self.refuse("several actions without probabilities", states[wrong])


def _is_number(value: object) -> bool:
    """Whether a cell holds a number, as a number or a text."""
    try:
        return not isnan(float(value))
    except (TypeError, ValueError):
        return False


def _is_whole(value: object) -> bool:
    """Whether a cell holds a whole number, as a number or a text."""
    if isinstance(value, str):
        return value.isascii() and value.removeprefix("-").isdecimal()
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
