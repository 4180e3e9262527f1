"""Tables as arrays in files mapped into memory: a lookup reads one row, by its number, and searches for nothing.

    mapped/tables.json              the tables, each with the sha256 of its contents, which have those of its files,
                                    block by block (mapped_file.py)
    mapped/<table>/table-*.json     its contents: what is solved, the key columns, texts that numbers stand for, files
    mapped/<table>/<part>-*.bin     the rows' answers; <part>-*-numbers.bin their numbers (row_numbers.py), and
                                    <part>-*-lists.bin what their places in lists stand for

A table has a part `decisions` (or what else it lists); one `longer`, of variants whose positions have more columns; and
one `values`, of variants whose decisions follow from values; or some of these. Written by row_arrays_writer.py from the
published files, which have the keys; these have only the answers.
New files have new names, and take the place of the old ones when tables.json, the last of them, names them.
One row is read without NumPy, which takes as long to load as all else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dicebase.catalog.rows.mapped_file import MappedFile, damaged
from dicebase.catalog.rows.records import Fields, Records
from dicebase.catalog.rows.row_numbers import Level, RowNumbers
from dicebase.tables.layout import MAPPED
from dicebase.tables.names import Variant
from dicebase.vocabulary import DamagedFileError, DicebaseError, Json, MissingTableError

if TYPE_CHECKING:
    import numpy as np


TABLES = "tables.json"
DECISIONS, LONGER, VALUES = "decisions", "longer", "values"

FLAGS = {"optimal": 1, "undecided": 2, "probability": 4}
"""What the number of an action says beside it, in its last three bits; `probability` where it is 0 or 1."""


class Part:
    """The rows of variants whose files have the same columns.

    records : the rows, with a field `value`, and further values under their own names; of decisions also with
        `margin` (NaN: one legal action), where actions are stored with `best` and `first`, the first of its actions.
        Where no state has more than two actions the sign of the margin says which one is best: the first of `names` if
        it is negative.
    stored_actions : None, or records with `action`, a number with FLAGS, `q_value` and `regret`, and `probability`
        where somebody mixes.
    """

    def __init__(self, folder: Path, contents: Json) -> None:
        self.folder = folder
        self._files = {kind: MappedFile(folder, file) for kind, file in contents["files"].items()}
        self._fields: dict[str, Fields] = {
            kind: [(name, number, count) for name, number, count in fields]
            for kind, fields in contents["fields"].items()
        }
        self._levels: list[tuple[int, int]] = contents["levels"]  # (nodes, edges) of each column's level
        self.columns: list[str] = contents["columns"]  # of a key: parameters, then what tells rows apart
        # Where the rows of each variant begin, if its last column counts them; they need no numbers of their own then.
        self.counted: list[int] = contents["counted"]
        self.texts: dict[str, list[str]] = contents["texts"]  # of the columns of text, in order
        self.names: list[str] = contents["actions"]  # of the actions, by number
        self._codes = {name: {text: i for i, text in enumerate(texts)} for name, texts in self.texts.items()}

    @cached_property
    def row_numbers(self) -> RowNumbers:
        """The number of each row by its key."""
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
        lists = (self._files["lists"].read() if "lists" in self._files else memoryview(b"")).cast("d")
        of_rows = sum(count for *_, count in self._fields["rows"])
        return Records(self._files[kind], self._fields[kind], lists[:of_rows] if kind == "rows" else lists[of_rows:])

    def rows(self, name: str, at: Any) -> np.ndarray:
        """What some rows have in a column."""
        return self.records.column(name, at)

    def actions(self, name: str, at: Any) -> np.ndarray:
        """What some of the stored actions have in a column of an answer; of `action` the numbers."""
        stored = self.stored_actions
        if name in FLAGS and name not in [field for field, *_ in self._fields["actions"]]:
            return stored.column("action", at) & FLAGS[name] > 0
        found = stored.column(name, at)
        return found // 8 if name == "action" else found

    @property
    def further(self) -> list[str]:
        """The names of the values beside `value`."""
        return [name for name, *_ in self._fields["rows"][1:]]

    def key(self, values: Mapping[str, int | str]) -> list[int]:
        """The key of a row, or the beginning of one: numbers, -1 for a text that no row has."""
        given = [name for name in self.columns if name in values]
        return [self._codes[n].get(values[n], -1) if n in self._codes else values[n] for n in given]

    def row(self, values: Mapping[str, int | str]) -> int:
        """The row of a parameter and state, -1 where there is none."""
        key = self.key(values)
        if not self.counted:
            return self.row_numbers.number(key)
        first, rows = self.row_numbers.span(key[:-1])
        return first + key[-1] if 0 <= key[-1] < rows else -1

    def numbers(self, key: Sequence[np.ndarray]) -> np.ndarray:
        """The rows of many keys, column by column; -1 where there is none."""
        if not self.counted:
            return self.row_numbers.numbers(key)
        import numpy as np

        first = self.row_numbers.numbers(key[:-1])
        ends = np.array([*self.counted[1:], len(self.records)])[np.searchsorted(self.counted, first, "right") - 1]
        row = first + key[-1]
        return np.where((first >= 0) & (key[-1] >= 0) & (row < ends), row, -1)

    def labels(self, column: str) -> Sequence[int]:
        """The numbers in a column of the key, in any order; none where it has none."""
        if column not in self.columns:
            return ()
        if self.counted and column == self.columns[-1]:
            return range(max(end - first for first, end in pairwise([*self.counted, len(self.records)])))
        return self.row_numbers.levels[self.columns.index(column)].label

    def following(self, prefix: Sequence[int]) -> Sequence[int]:
        """The values of the next column in the keys that begin with `prefix`."""
        if self.counted and len(prefix) == len(self.columns) - 1:
            return range(self.row_numbers.span(prefix)[1])
        return self.row_numbers.following(prefix)

    def codes(self, column: str, texts: Sequence[str]) -> list[int]:
        """The numbers of texts, -1 where no row has one."""
        return [self._codes[column].get(text, -1) for text in texts]

    def actions_of(self, row: int) -> list[tuple]:
        """The stored actions of a row: name, q-value, regret, probability, whether optimal and undecided."""
        records, actions = self.records, self.stored_actions
        first = records[row][-1]
        end = records[row + 1][-1] if row + 1 < len(records) else len(actions)
        if not 0 <= first < end <= len(actions):
            raise damaged(records.file.path)
        try:
            found = [self._said(*action) for action in actions.between(first, end)]
        except IndexError as error:
            raise damaged(actions.file.path) from error
        if not any(optimal for *_, optimal, _ in found):
            raise damaged(actions.file.path)
        return found

    def _said(self, number: int, q_value: float, regret: float, probability: float | None = None) -> tuple:
        if probability is None:
            probability = float(number & FLAGS["probability"] > 0)
        optimal, undecided = (number & FLAGS[name] > 0 for name in ("optimal", "undecided"))
        return self.names[number // 8], q_value, regret, probability, optimal, undecided


class Mapped:
    """A table: its variants (rows of the view `tables`, parameters as a dict), key columns with their types, parts."""

    def __init__(self, folder: Path, digest: str) -> None:
        """Raises DamagedFileError where the contents with this sha256, or files that they name, are not there."""
        path = folder / contents_name(digest)
        try:
            text = path.read_bytes()
            if hashlib.sha256(text).hexdigest() != digest:
                raise DamagedFileError(f"{path}: damaged, or of another build; build it again")
            contents = json.loads(text)
            self.variants: list[Json] = contents["variants"]
            self.columns: dict[str, str] = contents["columns"]
            # Parameters of the variants of which the starts of turns are all that is here.
            self.starts = {tuple(parameters) for parameters in contents["starts"]}
            self.certificates: dict[str, str] = contents["certificates"]
            self.parts = {name: Part(folder, part) for name, part in contents["parts"].items()}
            named = {file["name"] for part in contents["parts"].values() for file in part["files"].values()}
            self.file_names: set[str] = {path.name, *named}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedFileError(f"{path}: cannot be read; build it again") from error

    def part(self, variant: Variant) -> Part:
        """The part that has the rows of a solved variant."""
        parts = [part for part in self.parts.values() if part.row_numbers.span(part.key(variant))[1]]
        if not parts:
            raise DamagedFileError(f"{next(iter(self.parts.values())).folder}: lacks the rows of {variant}")
        return parts[0]


def contents_name(digest: str) -> str:
    """The name of the file of a table's contents with this sha256."""
    return f"table-{digest[:16]}.json"


def mapped_tables(results: Path) -> dict[str, str]:
    """The tables of a results folder, in order, with the sha256 of their contents; raises MissingTableError where there
    are none."""
    path = results / MAPPED / TABLES
    if not path.is_file():
        what = f"has no {MAPPED}/{TABLES}" if results.exists() else "does not exist"
        raise MissingTableError(f"{results}: {what}; build it with 'make', or name another folder with --results")
    try:
        found = dict(json.loads(path.read_text(encoding="utf-8")))
        return {name: str.strip(digest) for name, digest in found.items()}
    except (OSError, ValueError, TypeError) as error:
        raise DamagedFileError(f"{path}: cannot be read; build it again") from error


def are_whole(results: Path) -> bool:
    """Whether all files are there that the list of tables leads to."""
    try:
        return all(Mapped(results / MAPPED / name, digest) for name, digest in mapped_tables(results).items())
    except DicebaseError:
        return False
