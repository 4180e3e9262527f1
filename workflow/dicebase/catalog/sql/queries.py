"""What the catalogue is asked in SQL, as templates/catalog.sql has it."""

from functools import cache
from typing import Any

from dicebase.tables.templates import macros
from dicebase.vocabulary import TIE

ANSWERS = ["action", "q_value", "regret", "probability", "optimal", "undecided"]
"""The columns of ranked actions after those of their position."""


@cache
def queries() -> Any:
    """The macros of the file as functions that give SQL."""
    return macros("catalog.sql", tie=TIE, literal=_literal)


def _literal(x: int | str) -> str:
    return quoted(x) if isinstance(x, str) else str(x)


def quoted(text: str) -> str:
    """Text as SQL."""
    return "'" + str(text).replace("'", "''") + "'"
