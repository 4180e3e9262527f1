"""What the catalogue is asked in SQL, as templates/catalog.sql has it."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from dicebase.tables.templates import macros
from dicebase.vocabulary import TIE

ANSWERS = ["action", "q_value", "regret", "probability", "optimal", "undecided"]
"""The columns of ranked actions after those of their position."""


class _Number(str):
    """SQL of a number."""

    def __sub__(self, other: int) -> "_Number":
        return _Number(f"{self} - {other}")


POINTS = "points"


def _after_turn(match: Any, record: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """SQL of each column of the record that follows one; `given` has that of its own, POINTS are the mover's then."""
    after = match.following([_Number(given[column]) for column in record], POINTS)
    return dict(zip(record, after, strict=True))


@cache
def queries() -> Any:
    """The macros of the file as functions that give SQL."""
    return macros("catalog.sql", tie=TIE, after_turn=_after_turn, literal=_literal)


def _literal(x: int | str) -> str:
    return quoted(x) if isinstance(x, str) else str(x)


def quoted(text: str) -> str:
    """Text as SQL."""
    return "'" + str(text).replace("'", "''") + "'"
