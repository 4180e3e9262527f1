"""The published rows of one variant, read from Parquet: all that the certifier knows about a table."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.certify.finding import Fail
from dicebase.tables.names import Variant
from dicebase.tables.parquet import damaged, open_parquet, pair_columns
from dicebase.vocabulary import DamagedFileError, DicebaseError, Listing, State
from dicebase.vocabulary.arithmetic.numbers import Numbers

Columns = Mapping[str, np.ndarray]
ROWS = 20_000  # rows of actions checked at a time


class CertificationError(DicebaseError):
    """A published table contradicts its rules; the message names the table, the variant and the row."""


class File:
    """A Parquet file that lists the rows of one variant after another, read one row group at a time."""

    def __init__(self, path: Path) -> None:
        self.path, self.schema = path, open_parquet(path).schema_arrow
        # Dictionary encoding: millions of strings have few distinct values.
        self.file = open_parquet(path, [column.name for column in self.schema if pa.types.is_string(column.type)])
        self.ends = np.cumsum([self.file.metadata.row_group(i).num_rows for i in range(self.file.num_row_groups)])
        self.count, self.names, self.read = self.file.metadata.num_rows, self.schema.names, 0
        self.last: dict[tuple | None, tuple[int, pa.Table]] = {}  # by column names: number and rows of the last group

    def following(self, variant: Variant, place: str) -> "Rows":
        """Return the rows of the next variant; raise CertificationError if rows of another variant interrupt them."""
        first = self.read
        for part in self.parts(first, self.count, tuple(variant)):
            same = np.ones(len(part), bool)
            for name, value in variant.items():
                same &= pc.fill_null(pc.equal(part[name], value), False).to_numpy()
            there = len(part) if same.all() else int(same.argmin())
            if same[there:].any():
                row = f"row {self.read + there} of {self.path.name}"
                raise CertificationError(f"{place}: {row}, among the rows of this variant, belongs to another variant")
            self.read += there
            if there < len(part):
                break
        return Rows(self, first, self.read - first, place, tuple(self.names[len(variant) :]))

    def parts(self, first: int, end: int, names: tuple[str, ...] | None = None) -> Iterator[pa.Table]:
        """Yield the rows from `first` to `end`, one row group at a time."""
        for group in range(int(np.searchsorted(self.ends, first, "right")), len(self.ends)):
            begin = int(self.ends[group - 1]) if group else 0
            if begin >= end:
                break
            low = max(first, begin)
            yield self._group(group, names).slice(low - begin, min(end, int(self.ends[group])) - low)
            if end >= self.ends[group]:  # this row group is not read again
                self.last.pop(names, None)

    def _group(self, group: int, names: tuple[str, ...] | None) -> pa.Table:
        if names not in self.last or self.last[names][0] != group:
            try:  # in this thread, because every other one would keep memory
                rows = self.file.read_row_group(group, names and list(names), use_threads=False)
                self.last[names] = group, rows
            except (pa.ArrowException, OSError) as error:
                raise damaged(self.path, error) from error
            if len(rows) != self.file.metadata.row_group(group).num_rows:
                raise DamagedFileError(f"{self.path}: damaged: a column does not have as many rows as the file states")
        return self.last[names][1]


class Rows(Mapping):
    """The rows of one variant in a file, read on demand because there may be millions; {name: column}."""

    exact: Fraction | None = None  # the value of the game in rationals, if the table gives it
    actions: Columns = MappingProxyType({})
    # (values, error bound) of the variants from which this one was solved, in the order of Listing.needs.
    ahead: Sequence[tuple[np.ndarray, float]] = ()

    def __init__(self, file: File, first: int, count: int, place: str, names: tuple[str, ...]) -> None:
        self.file, self.first, self.count, self.place, self.names = file, first, count, place, names

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns(names=(name,))[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def parts(self, names: tuple[str, ...]) -> Iterator[pa.Table]:
        """Yield all rows, one row group at a time."""
        return self.file.parts(self.first, self.first + self.count, names)

    def columns(self, first: int = 0, end: int | None = None, names: tuple[str, ...] | None = None) -> Columns:
        """Return the columns of rows `first` to `end`; NULL becomes NaN; a stored NaN margin is refused."""
        end = self.count if end is None else min(end, self.count)
        found = {}
        for name in names or self.names:  # one column at a time, to limit memory
            parts = self.file.parts(self.first + first, self.first + end, (name,))
            kind = self.file.file.schema_arrow.field(name).type
            column = pa.chunked_array([c for p in parts for c in p[name].chunks], kind)
            found[name] = _column(column)
            if name == "margin" and np.isnan(found[name]).sum() > column.null_count:
                raise CertificationError(f"{self.place}: a margin is not a number")
        return found


class Published:
    """The published rows of a variant as columns, by state and, if actions are stored, by action."""

    exact: Fraction | None = None  # as in Rows
    positions: Any = None  # positions.Positions, once they are enumerated from the rules
    endless = False  # whether play by the table may go on for ever

    def __init__(self, game: Listing, states: Columns, beside: Columns) -> None:
        self.keys = tuple(states[c.name] for c in game.columns)
        self.values, self.more = states[game.value.name].view(), tuple(states[c.name] for c in game.more)
        self.values.flags.writeable = False  # like most arrays from Arrow, so that kernels are compiled once
        self.best, self.margins = states.get("action"), states.get("margin")
        self.actions = self.beside = beside  # the rows of actions, or of pairs of policies in matchups
        self.names = [c.name for c in game.columns]

    @property
    def keys_of_actions(self) -> tuple[np.ndarray, ...]:
        """The state columns, with an entry for every row of actions."""
        return tuple(self.actions[name] for name in self.names)

    def actions_between(self, first: int, end: int, names: Sequence[str]) -> list[np.ndarray]:
        """Return the columns `names` of the rows of actions from `first` to `end`."""
        if isinstance(self.actions, Rows):
            return [*self.actions.columns(first, end, tuple(names)).values()]
        return [self.actions[name][first:end] for name in names]

    @property
    def count(self) -> int:
        """The number of states."""
        return len(self.values)

    @cached_property
    def states(self) -> list[State]:
        """The state of every row."""
        return self.states_between(0, self.count)

    def states_between(self, first: int, end: int) -> list[State]:
        """Return the states of the rows from `first` to `end`."""
        return _tuples([key[first:end] for key in self.keys], min(end, self.count) - first)

    def states_at(self, rows: np.ndarray) -> list[State]:
        """Return the states of the rows with these numbers."""
        return _tuples([key[rows] for key in self.keys], len(rows))

    @cached_property
    def value_of(self) -> dict[State, float]:
        """The published value of each state."""
        return dict(zip(self.states, self.values.tolist(), strict=True))

    def check_order(self, place: str) -> None:
        """Raise CertificationError if states are unsorted or duplicated."""
        later, equal = np.zeros(max(0, self.count - 1), dtype=bool), True
        for key in self.keys:
            later |= equal & (key[1:] > key[:-1])
            equal = equal & (key[1:] == key[:-1])
        if not later.all():
            i = int(later.argmin())
            raise CertificationError(
                f"{place}: {self.states[i + 1]} follows {self.states[i]}: states are not sorted, or one is repeated"
            )

    def check_actions(self, legal: Iterator[Sequence[str]], fail: Fail) -> np.ndarray:
        """Return the state index of each row of actions; fail unless they are the `legal` ones, state by state."""
        ours, names = [next(legal) for _ in range(self.count)], Numbers()
        of = np.repeat(np.arange(self.count), [*map(len, ours)])
        legal = np.array([names[action] for actions in ours for action in actions])
        self.compare_actions(of, legal, list(names), fail)
        return of

    def compare_actions(self, of: np.ndarray, legal: np.ndarray, names: Sequence[str], fail: Fail) -> None:
        """Fail unless the rows of actions are the legal actions, in order.

        of, legal : (legal actions,), the index of each action's state, and that of its text in `names`.
        """
        texts = np.array(names, object)
        # The last block extends past the last legal action, to find extra rows.
        for first in range(0, len(of) + 1, ROWS):
            ours = of[first : first + ROWS]
            actions, *keys = self.actions_between(first, first + ROWS, ["action", *self.names])
            both = min(len(ours), len(actions))
            wrong = actions[:both] != texts[legal[first : first + both]]
            for theirs, key in zip(keys, self.keys, strict=True):
                wrong |= key[ours[:both]] != theirs[:both]
            if wrong.any() or len(ours) != len(actions):
                i = int(wrong.argmax()) if wrong.any() else both
                states = [self.states[s] for s in ours[i : i + 1]]
                theirs = _tuples([key[i : i + 1] for key in keys], len(actions[i : i + 1]))
                fail(min(states + theirs), "the actions are not those that the rules allow, in the same order")


def named(values: np.ndarray) -> str:
    """Return the digest that identifies values in their certificate, and in certificates that build on it."""
    return f"values {hashlib.sha256(values.tobytes()).hexdigest()[:16]}"


def _column(column: pa.ChunkedArray) -> np.ndarray:
    """Return a column as an array in which equal strings are one object."""
    if not pa.types.is_dictionary(column.type):
        return column.to_numpy()
    texts = column.unify_dictionaries().combine_chunks()
    return np.array(texts.dictionary.to_pylist(), object)[texts.indices.to_numpy()]


def _tuples(keys: Sequence[np.ndarray], count: int) -> list[State]:
    return list(zip(*(key.tolist() for key in keys), strict=True)) if keys else [()] * count  # one state: no columns


def check_keys(
    published: Published,
    expected: Iterable[State],
    fail: Fail,
    missing: str = "is missing",
    extra: str = "is not part of the table",
) -> None:
    """Fail at the smallest state that is missing from the rows or should not be among them."""
    theirs = set(published.states)
    if odd := set(expected) ^ theirs:
        fail(min(odd), extra if min(odd) in theirs else missing)


def check_key_columns(published: Published, expected: Sequence[np.ndarray], fail: Fail, **messages: str) -> None:
    """Check the keys of rows in order, given as state columns, like `check_keys`; this is fast if they agree."""
    if not all(map(np.array_equal, published.keys, expected)):
        check_keys(published, zip(*(column.tolist() for column in expected), strict=True), fail, **messages)


def pair_values(
    published: Published,
    pairs: Sequence[tuple[str, str]],
    places: Sequence[np.ndarray],
    fail: Fail,
    column: str = "value",
) -> dict[tuple[str, str], np.ndarray]:
    """Return a column, (places,), by (mover's policy, opponent's); fail unless the rows list the pairs and places."""
    expected = pair_columns(pairs, places)
    for name, ours in zip(published.beside, expected, strict=False):
        if not np.array_equal(published.beside[name], ours):
            fail(None, f"the values of pairs do not match all positions in order: see their column {name}")
    return dict(zip(pairs, published.beside[column].reshape(len(pairs), -1), strict=True))


def refuse(keys: Sequence[np.ndarray], fail: Fail, wrong: np.ndarray, what: str, *columns: np.ndarray) -> None:
    """Fail at the first row that `wrong` marks, with the message `what`, filled in from its entries in `columns`."""
    if wrong.any():
        i = int(wrong.argmax())
        row, entries = ([column[i : i + 1].tolist()[0] for column in part] for part in (keys, columns))
        fail(tuple(row), what.format(*entries))
