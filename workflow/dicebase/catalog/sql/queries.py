"""The SQL of the catalogue's views and macros, from templates/catalog.sql and templates/draws.sql."""

from functools import cache
from typing import Any

from dicebase.tables.templates import macros
from dicebase.vocabulary import NOTHING, TIE

ANSWERS = ["action", "q_value", "regret", "probability", "optimal", "undecided"]
"""The columns of ranked actions, which follow the columns of the position."""


@cache
def queries(template: str = "catalog.sql") -> Any:
    """Return a template's macros as functions that return SQL."""
    return macros(template, tie=TIE, literal=_literal, nothing=NOTHING)


def _literal(x: int | str) -> str:
    return quoted(x) if isinstance(x, str) else str(x)


def quoted(text: str) -> str:
    """Return text as an SQL literal."""
    return "'" + str(text).replace("'", "''") + "'"
