"""Tables as arrays in files mapped into memory: a lookup reads one row, by its number, and searches for nothing.

    mapped/tables.json              the tables, each with the sha256 of its table.json, which has those of its files
    mapped/<table>/table.json       what is solved, the key columns, the texts that numbers stand for, the files
    mapped/<table>/<part>-*.npy     the rows' answers; <part>-*-ranks.npz their numbers (row_numbers.py)

A table has one part or two: `decisions` (or what else it lists), and `values`, of variants whose decisions follow from
values. Written by row_arrays_writer.py from the published files, which have the keys; these have only the answers.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from dicebase.catalog.row_numbers import RowNumbers
from dicebase.tables.layout import MAPPED
from dicebase.vocabulary import DamagedFileError, MissingTableError

TABLES, CONTENTS = "tables.json", "table.json"
DECISIONS, VALUES = "decisions", "values"


class Part:
    """The rows of variants whose files have the same columns.

    rows : a structured array with a field `value`, and further values under their own names; of decisions also with
        `margin` (NaN: one legal action), where actions are stored with `best` and `first`, the first of its actions.
        Where no state has more than two actions the sign of the margin says which one is best: the first of `names` if
        it is negative.
    actions : None, or a structured array with the fields of an answer, `action` a number.
    """

    def __init__(self, folder: Path, contents: Mapping[str, Any]) -> None:
        self.folder, self._contents = folder, contents
        self.columns: list[str] = contents["columns"]  # of a key: parameters, then what tells rows apart
        self.texts: dict[str, list[str]] = contents["texts"]  # of the columns of text, in order
        self.names: list[str] = contents["actions"]  # of the actions, by number
        self._codes = {name: {text: i for i, text in enumerate(texts)} for name, texts in self.texts.items()}

    @cached_property
    def row_numbers(self) -> RowNumbers:
        return RowNumbers.from_arrays(self._file("ranks"))

    @cached_property
    def rows(self) -> np.ndarray:
        return self._file("rows")

    @cached_property
    def actions(self) -> np.ndarray | None:
        return self._file("actions") if "actions" in self._contents["files"] else None

    def _file(self, name: str) -> Any:
        path = self.folder / self._contents["files"][name]["name"]
        try:
            if path.suffix == ".npy":
                return np.load(path, mmap_mode="r")
            with np.load(path) as arrays:
                return dict(arrays)
        except (OSError, ValueError, EOFError, BadZipFile) as error:
            raise DamagedFileError(f"{path}: cannot be read; build it again") from error

    def damage(self) -> str | None:
        """Which file is not the one that was written, if one is not."""
        for file in self._contents["files"].values():
            path = self.folder / file["name"]
            if not path.is_file() or sha256(path) != file["sha256"]:
                return f"{path.name}: {'damaged' if path.is_file() else 'missing'}; build it again"
        return None

    def key(self, values: Mapping[str, int | str]) -> list[int]:
        """The key of a row, or the beginning of one: numbers, -1 for a text that no row has."""
        given = [name for name in self.columns if name in values]
        return [self._codes[n].get(values[n], -1) if n in self._codes else values[n] for n in given]

    def row(self, values: Mapping[str, int | str]) -> int:
        """The row of a parameter and state, -1 where there is none."""
        return self.row_numbers.number(self.key(values))

    def numbers(self, key: Sequence[np.ndarray]) -> np.ndarray:
        """The rows of many keys, column by column; -1 where there is none."""
        return self.row_numbers.numbers(key)

    def following(self, prefix: Sequence[int]) -> list[int]:
        """The values of the next column in the keys that begin with `prefix`."""
        return self.row_numbers.following(prefix)

    def codes(self, column: str, texts: Sequence[str]) -> np.ndarray:
        """The numbers of texts, -1 where no row has one."""
        codes = self._codes[column]
        return np.array([codes.get(text, -1) for text in texts], np.int64)

    def actions_of(self, row: int) -> np.ndarray:
        """The stored actions of a row."""
        last = self.rows["first"][row + 1] if row + 1 < len(self.rows) else len(self.actions)
        return self.actions[self.rows["first"][row] : last]


class Mapped:
    """A table: its variants (rows of the view `tables`, parameters as a dict), key columns with their types, parts."""

    def __init__(self, folder: Path, digest: str) -> None:
        """Raises DamagedFileError where table.json is not the one with this sha256."""
        path = folder / CONTENTS
        try:
            text = path.read_bytes()
            if hashlib.sha256(text).hexdigest() != digest:
                raise DamagedFileError(f"{path}: damaged, or of another build; build it again")
            contents = json.loads(text)
            self.variants: list[dict[str, Any]] = contents["variants"]
            self.columns: dict[str, str] = contents["columns"]
            self.certificates: dict[str, str] = contents["certificates"]
            self.parts = {name: Part(folder, part) for name, part in contents["parts"].items()}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DamagedFileError(f"{path}: cannot be read; build it again") from error

    def part(self, variant: Mapping[str, Any]) -> Part:
        """The part that has the rows of a solved variant."""
        parts = [part for part in self.parts.values() if part.row_numbers.span(part.key(variant))[1]]
        if not parts:
            raise DamagedFileError(f"{next(iter(self.parts.values())).folder}: lacks the rows of {variant}")
        return parts[0]


def sha256(path: Path) -> str:
    """The digest of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def mapped_tables(results: Path) -> dict[str, str]:
    """The tables of a results folder, in order, with the sha256 of their contents; raises MissingTableError where there
    are none."""
    path = results / MAPPED / TABLES
    if not path.is_file():
        what = f"has no {MAPPED}/{TABLES}" if results.exists() else "does not exist"
        raise MissingTableError(f"{results}: {what}; build it with 'make', or name another folder with --results")
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise DamagedFileError(f"{path}: cannot be read; build it again") from error
