"""Read the file of a recorded game; docs/use/review.md describes its lines and columns."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import ConfigurationError, as_roll, pairs
from dicebase.vocabulary.dice_and_cards.dice import APART

PLAYER, KEEP = "player", "keep"


class Cell(NamedTuple):
    line: int
    player: str
    column: str
    text: str


class Record:
    """The cells of a file in order."""

    def __init__(self, path: Path, lines: Sequence[str]) -> None:
        numbered = [(i, line) for i, line in enumerate(lines, 1) if line.strip(" ,\t") and not line.startswith("#")]
        if len(numbered) < 2:
            raise ConfigurationError(f"{path}: needs a line such as 'pig_duel target=100', and a line of columns")
        (self.first, title), (self.second, columns), *rest = numbered
        self.path, (self.table, *words) = path, title.strip(" ,\t").split()
        self.given = pairs(words, f"{path}, line {self.first}")
        self.columns = [name.strip() for name in self._row(self.second, columns)]
        self.cells = [cell for i, line in rest for cell in self._cells(i, self._row(i, line))]

    def _row(self, line: int, text: str) -> list[str]:
        try:
            return next(csv.reader([text]))
        except csv.Error as error:
            raise self.wrong(line, str(error)) from error

    def _cells(self, line: int, row: Sequence[str]) -> Iterator[Cell]:
        if any(text.strip() for text in row[len(self.columns) :]):
            raise self.wrong(line, f"has {len(row)} cells; there are {len(self.columns)} columns")
        named = [(name, text.strip()) for name, text in zip(self.columns, row, strict=False) if text.strip()]
        player = dict(named).get(PLAYER, "")
        if not player.isprintable():
            raise self.wrong(line, f"{PLAYER} {player!r}: contains characters that cannot be printed")
        yield from (Cell(line, player, name, text) for name, text in named if name != PLAYER)

    def check_rolls(self) -> None:
        """Raise ConfigurationError if no column has rolls."""
        if ROLL not in self.columns:
            columns = ", ".join(self.columns)
            raise self.wrong(self.second, f"columns {columns}: '{ROLL}' is missing; others are '{PLAYER}' and any name")

    def wrong(self, line: int, what: str) -> ConfigurationError:
        """Return an error that names the line."""
        return ConfigurationError(f"{self.path}, line {line}: {what}")


def dice(text: str) -> tuple[str, ...]:
    """Return dice sorted, so that `3 1`, `31` and `1,3` compare equal."""
    parts = text.translate(str.maketrans(APART, " " * len(APART))).split()
    return tuple(sorted(parts[0] if len(parts) == 1 and parts[0].isdecimal() else parts))


def words_of(cell: Cell) -> list[str]:
    """Split a recorded action at its commas; the dice that it keeps are sorted."""
    text = cell.text if cell.column != KEEP or cell.text.startswith(KEEP) else f"{KEEP} {cell.text}"
    words = [word.strip() for word in text.split(", ")]
    return [f"{KEEP} {as_roll(w.removeprefix(KEEP).strip())}" if w.startswith(f"{KEEP} ") else w for w in words]


def begins(action: str, words: Sequence[str]) -> bool:
    """Return whether an action begins with these parts: `keep 1, roll 4` begins with [`keep 1`, `roll`]."""
    parts, said = (f"{_plain(part)} " for part in action.split(", ")), (f"{_plain(word)} " for word in words)
    return len(words) <= action.count(", ") + 1 and all(p.startswith(w) for p, w in zip(parts, said, strict=False))


def _plain(text: str) -> str:
    """Ignore case and underscores: `Full House` equals `full_house`."""
    return text.casefold().replace("_", " ")
