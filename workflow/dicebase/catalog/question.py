"""From what is given for a lookup, as words or values, to a variant and a position of its table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dicebase.catalog.rolls import DICE, ROLL
from dicebase.tables.names import Variant
from dicebase.vocabulary.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from dicebase.catalog.solved import Solved


def asked_columns(solved: Solved, given: Iterable[str]) -> dict[str, str]:
    """The parameters and state columns of a question with their SQL types: those of the table, or, where dice are kept
    and a roll is given, the roll in the place of the dice in the hand. Raises ConfigurationError for a question that
    lacks a state column or has one that is unknown."""
    given, rolled, columns = set(given), solved.rolls, solved.columns
    if rolled and {DICE, ROLL} <= given:
        raise ConfigurationError(f"{solved.name}: give '{DICE}' (to be rolled) or '{ROLL}' (as they fell), not both")
    known = [*columns, *([ROLL] if rolled else [])]
    for name in sorted(given - set(known)):
        raise ConfigurationError(f"{solved.name}: '{name}' is no parameter or state column{nearest(name, known)}")
    parameters = solved.parameters
    asked = {n: kind for n, kind in columns.items() if n != DICE or ROLL not in given or not rolled}
    if rolled and ROLL in given:
        asked[ROLL] = "VARCHAR"
    words = {n: f"{n} or {ROLL}" if rolled and n == DICE else n for n in columns if n not in parameters}
    for name in asked:
        if name not in given and name not in parameters:
            needed = ", ".join(words.values())
            missing = "' or '".join(words[name].split(" or "))
            raise ConfigurationError(f"{solved.name}: '{missing}' is missing; a position needs {needed}")
    return asked


def read_position(solved: Solved, position: Mapping[str, Any]) -> tuple[Variant, dict[str, int | str]]:
    """The variant, parameters that are not given being the defaults, and the state."""
    asked, parameters = asked_columns(solved, position), solved.parameters
    given = {name: position[name] for name in parameters if name in position}
    # The tables know which names were defined when they were built.
    definitions = {n: {str(given.get(n, p.default)): None} for n, p in parameters.items() if p.defined}
    variant = solved.table.variant(given, definitions, solved.name)
    state = {n: _state_value(solved.name, n, asked[n], position[n]) for n in asked if n not in variant}
    return variant, state


def sorted_dice(text: str) -> str:
    """A roll as the tables write it, in any order; other text as it is."""
    return "".join(sorted(text)) if text.isdigit() else text


def _state_value(table: str, name: str, kind: str, value: Any) -> int | str:
    if kind == "VARCHAR":
        return sorted_dice(str(value))
    text = str(value)
    if not (text.isascii() and text.removeprefix("-").isdecimal()):
        raise ConfigurationError(f"{table}: {name}={value!r} is not a whole number")
    return int(text)
