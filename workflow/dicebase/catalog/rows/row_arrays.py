"""Tables as arrays in memory-mapped files: a lookup computes the number of its row and reads that row.

    mapped/tables.json              {table: the SHA-256 of its contents file}; that file has the digests of the others,
                                    block by block (mapped_file.py)
    mapped/<table>/table-*.json     the contents: solved variants, key columns, texts, file names
    mapped/<table>/<part>-*.bin     the answers of the rows; <part>-*-numbers.bin their row numbers (row_numbers.py),
                                    <part>-*-lists.bin the numbers that they index (records.py)

A table has up to three parts: `decisions` (or the rows of a table without decisions); `longer`, for variants whose
positions have more columns; and `values`, for variants whose decisions are computed from values. row_arrays_writer.py
writes them from the published files. New files have new names, and become visible when tables.json, which is written
last, names them. Reading one row does not import NumPy, which takes as long to load as everything else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from struct import Struct
from struct import error as StructError
from typing import TYPE_CHECKING, Any

from dicebase.catalog.rows.mapped_file import AGAIN, MappedFile, damaged
from dicebase.catalog.rows.records import Fields, Records
from dicebase.catalog.rows.row_numbers import Level, RowNumbers
from dicebase.tables.layout import MAPPED
from dicebase.tables.names import Variant
from dicebase.vocabulary import DamagedFileError, Json, MissingTableError

if TYPE_CHECKING:
    import numpy as np


DOUBLE, LONG = Struct("<d"), Struct("<q")
TABLES = "tables.json"
DECISIONS, LONGER, VALUES = "decisions", "longer", "values"

FLAGS = {"optimal": 1, "undecided": 2, "probability": 4}
"""Flags in the last three bits of a stored action; `probability` (equal to 1) is used only if no policy is mixed."""


class Part:
    """The rows of variants whose files have the same columns.

    records : the rows: `value`, then any further values by name. If actions are stored, `second` is the place among the
        state's actions, from 1, of one whose regret is the margin (0: the margin is NULL), `best` the number of the
        best action and `first` the row of the state's first action. Otherwise decisions have at most two actions and
        `margin` (NaN: one legal action), whose sign says which is best: names[0] if it is negative.
    stored_actions : None, or records with `action` (8 times its number plus FLAGS), `q_value`, unless it is always 0
        `rest`, and `probability` if a policy is mixed. The bits of a regret are those of the difference between the
        state's value and the q-value, plus `rest`.
    """

    def __init__(self, folder: Path, contents: Json) -> None:
        self.folder = folder
        self._files = {kind: MappedFile(folder, file) for kind, file in contents["files"].items()}
        self._fields: dict[str, Fields] = {
            kind: [tuple(field) for field in fields] for kind, fields in contents["fields"].items()
        }
        self._rests, self._mixes = (
            any(name == field for field, *_ in self._fields.get("actions", ())) for name in ("rest", "probability")
        )
        self._levels: list[tuple[int, int]] = contents["levels"]  # (number of nodes, number of edges) by column
        self.columns: list[str] = contents["columns"]  # of a key: the parameters, then the state columns
        # The first row of each variant if the last key column only counts its rows; otherwise empty.
        self.counted: list[int] = contents["counted"]
        self.texts: dict[str, list[str]] = contents["texts"]  # by text column, sorted
        self.names: list[str] = contents["actions"]  # of actions, by number
        self._codes = {name: {text: i for i, text in enumerate(texts)} for name, texts in self.texts.items()}

    @cached_property
    def row_numbers(self) -> RowNumbers:
        """The map from keys to row numbers."""
        numbers, levels, at = self._files["numbers"].read().cast("i"), [], 0
        for nodes, edges in self._levels:
            ends = [*accumulate([nodes + 1, *[edges] * 4], initial=at)]
            levels.append(Level(*(numbers[low:high] for low, high in pairwise(ends))))
            at = ends[-1]
        return RowNumbers(levels)

    @cached_property
    def records(self) -> Records:
        return self._records("rows")

    @cached_property
    def stored_actions(self) -> Records | None:
        return self._records("actions") if "actions" in self._files else None

    def _records(self, kind: str) -> Records:
        lists = self._files["lists"].read() if "lists" in self._files else memoryview(b"")
        of_rows = 8 * sum(count for *_, count in self._fields["rows"])
        return Records(self._files[kind], self._fields[kind], lists[:of_rows] if kind == "rows" else lists[of_rows:])

    def rows(self, name: str, at: Any) -> np.ndarray:
        """Return the values of a column in some rows."""
        if name != "margin" or self.stored_actions is None:
            return self.records.column(name, at)
        import numpy as np

        value, second, first = (self.records.column(name, at) for name in ("value", "second", "first"))
        return np.where(second > 0, self.regrets(value, first.astype(np.int64) + second - 1), np.nan)

    def actions(self, name: str, at: Any) -> np.ndarray:
        """Return the values of a column, except `regret`, in some stored actions; `action` gives their numbers."""
        stored = self.stored_actions
        if name in FLAGS and not (name == "probability" and self._mixes):
            return stored.column("action", at) & FLAGS[name] > 0
        found = stored.column(name, at)
        return found // 8 if name == "action" else found

    def regrets(self, values: np.ndarray, at: Any) -> np.ndarray:
        """Return the regrets of some stored actions; `values` are those of their states."""
        differences = abs(values - self.actions("q_value", at))
        rest = self.stored_actions.column("rest", at) if self._rests else 0
        return (differences.view("q") + rest).view("d")

    @property
    def further(self) -> list[str]:
        """The names of the columns after `value`."""
        return [{"second": "margin"}.get(name, name) for name, *_ in self._fields["rows"][1:]]

    def key(self, values: Mapping[str, int | str]) -> list[int]:
        """Return the key of a row, or a prefix of one, as integers; -1 for a text that no row has."""
        given = [name for name in self.columns if name in values]
        return [self._codes[n].get(values[n], -1) if n in self._codes else values[n] for n in given]

    def row(self, values: Mapping[str, int | str]) -> int:
        """Return the row of a variant and state; -1 if there is none."""
        key = self.key(values)
        if not self.counted:
            return self.row_numbers.number(key)
        first, rows = self.row_numbers.span(key[:-1])
        return first + key[-1] if 0 <= key[-1] < rows else -1

    def record(self, key: Sequence[int]) -> list[float] | None:
        """Return the numbers of the row with this key; None if there is none."""
        return self.records[row] if (row := self.row_numbers.number(key)) >= 0 else None

    def numbers(self, key: Sequence[np.ndarray]) -> np.ndarray:
        """Return the rows of n keys, shape (n,), -1 for a missing key; `key` has an int64 array (n,) per column."""
        if not self.counted:
            return self.row_numbers.numbers(key)
        import numpy as np

        first = self.row_numbers.numbers(key[:-1])
        ends = np.array([*self.counted[1:], len(self.records)])[np.searchsorted(self.counted, first, "right") - 1]
        row = first + key[-1]
        return np.where((first >= 0) & (key[-1] >= 0) & (row < ends), row, -1)

    def labels(self, column: str) -> Sequence[int]:
        """Return the numbers that occur in a key column, unsorted; empty if the key lacks the column."""
        if column not in self.columns:
            return ()
        if self.counted and column == self.columns[-1]:
            return range(max(end - first for first, end in pairwise([*self.counted, len(self.records)])))
        return self.row_numbers.levels[self.columns.index(column)].label

    def following(self, prefix: Sequence[int]) -> Sequence[int]:
        """Return the values of the next column in keys that begin with `prefix`."""
        if self.counted and len(prefix) == len(self.columns) - 1:
            return range(self.row_numbers.span(prefix)[1])
        return self.row_numbers.following(prefix)

    def codes(self, column: str, texts: Sequence[str]) -> list[int]:
        """Return the numbers of texts; -1 for a text that no row has."""
        return [self._codes[column].get(text, -1) for text in texts]

    def actions_of(self, row: int) -> list[tuple]:
        """Return the stored actions of a row as (name, q-value, regret, probability, optimal, undecided)."""
        records, actions = self.records, self.stored_actions
        value, *_, first = records[row]
        end = records[row + 1][-1] if row + 1 < len(records) else len(actions)
        if not 0 <= first < end <= len(actions):
            raise damaged(records.file.path)
        try:
            found = [self._said(value, *action) for action in actions.between(first, end)]
        except (IndexError, StructError) as error:
            raise damaged(actions.file.path) from error
        if not any(optimal for *_, optimal, _ in found):
            raise damaged(actions.file.path)
        return found

    def _said(self, value: float, action: int, q_value: float, *more: float) -> tuple:
        """Return the columns of an action from its stored fields and the state's value."""
        regret = abs(value - q_value)
        if self._rests and more[0]:
            (regret,) = DOUBLE.unpack(LONG.pack(LONG.unpack(DOUBLE.pack(regret))[0] + more[0]))
        probability = more[-1] if self._mixes else float(action & FLAGS["probability"] > 0)
        optimal, undecided = action & FLAGS["optimal"] > 0, action & FLAGS["undecided"] > 0
        return self.names[action // 8], q_value, regret, probability, optimal, undecided


class Mapped:
    """A mapped table: its variants (rows of the view `tables`), key columns with SQL types, and parts."""

    def __init__(self, folder: Path, digest: str) -> None:
        """Raises DamagedFileError if the contents with this SHA-256, or a file that they name, are missing."""
        path = folder / contents_name(digest)
        try:
            text = path.read_bytes()
            if hashlib.sha256(text).hexdigest() != digest:
                raise DamagedFileError(f"{path}: damaged, or from another build; {AGAIN}")
            contents = json.loads(text)
            self.variants: list[Json] = contents["variants"]
            self.columns: dict[str, str] = contents["columns"]
            # The parameters of the variants that have only the starts of turns here.
            self.starts = {tuple(parameters) for parameters in contents["starts"]}
            self.certificates: dict[str, str] = contents["certificates"]
            self.parts = {name: Part(folder, part) for name, part in contents["parts"].items()}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedFileError(f"{path}: cannot be read; {AGAIN}") from error

    def part(self, variant: Variant) -> Part:
        """Return the part with the rows of a solved variant."""
        parts = [part for part in self.parts.values() if part.row_numbers.span(part.key(variant))[1]]
        if not parts:
            raise DamagedFileError(f"{next(iter(self.parts.values())).folder}: lacks the rows of {variant}")
        return parts[0]


def contents_name(digest: str) -> str:
    """Return the name of the contents file with this SHA-256."""
    return f"table-{digest[:16]}.json"


def mapped_tables(results: Path) -> dict[str, str]:
    """Return {table: the SHA-256 of its contents}. Raises MissingTableError if the folder has no mapped tables, and
    DamagedFileError if their list cannot be read."""
    path = results / MAPPED / TABLES
    if not path.is_file():
        what = f"has no {MAPPED}/{TABLES}" if results.exists() else "does not exist"
        raise MissingTableError(f"{results}: {what}; build it with 'make', or name another folder with --results")
    try:
        found = dict(json.loads(path.read_text(encoding="utf-8")))
        return {name: str.strip(digest) for name, digest in found.items()}
    except (OSError, ValueError, TypeError) as error:
        raise DamagedFileError(f"{path}: cannot be read; {AGAIN}") from error
