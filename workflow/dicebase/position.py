"""From what is given for a lookup, as words or values, to a variant and a position of its table."""

from collections.abc import Iterable, Mapping
from typing import Any

from dicebase.errors import ConfigurationError, nearest
from dicebase.find import Table, Variant
from dicebase.rolls import DICE, ROLL, takes_rolls


def asked_columns(table: Table, columns: Mapping[str, str], given: Iterable[str]) -> dict[str, str]:
    """The parameters and state columns of a question with their SQL types: those of the table, or, where dice are kept
    and a roll is given, the roll in the place of the dice in the hand. Raises ConfigurationError for a question that
    lacks a state column or has one that is unknown."""
    given, rolled = set(given), takes_rolls(table, columns)
    if rolled and {DICE, ROLL} <= given:
        raise ConfigurationError(f"{table.name}: give '{DICE}' (to be rolled) or '{ROLL}' (as they fell), not both")
    known = [*columns, *([ROLL] if rolled else [])]
    for name in sorted(given - set(known)):
        raise ConfigurationError(f"{table.name}: '{name}' is no parameter or state column{nearest(name, known)}")
    parameters = {p.name for p in table.parameters}
    asked = {n: kind for n, kind in columns.items() if n != DICE or ROLL not in given or not rolled}
    if rolled and ROLL in given:
        asked[ROLL] = "VARCHAR"
    words = {n: f"{n} or {ROLL}" if rolled and n == DICE else n for n in columns if n not in parameters}
    for name in asked:
        if name not in given and name not in parameters:
            needed = ", ".join(words.values())
            missing = "' or '".join(words[name].split(" or "))
            raise ConfigurationError(f"{table.name}: '{missing}' is missing; a position needs {needed}")
    return asked


def read_position(
    table: Table, columns: Mapping[str, str], position: Mapping[str, Any]
) -> tuple[Variant, dict[str, int | str]]:
    """The variant, parameters that are not given being the defaults, and the state."""
    asked = asked_columns(table, columns, position)
    given = {p.name: position[p.name] for p in table.parameters if p.name in position}
    # The catalogue knows which names were defined when it was built.
    definitions = {p.name: {str(given.get(p.name, p.default)): None} for p in table.parameters if p.defined}
    variant = table.variant(given, definitions, table.name)
    state = {n: _state_value(table.name, n, asked[n], position[n]) for n in asked if n not in variant}
    return variant, state


def _state_value(table: str, name: str, kind: str, value: Any) -> int | str:
    if kind == "VARCHAR":
        text = str(value)
        # A roll is a roll in any order.
        return "".join(sorted(text)) if text.isdigit() else text
    try:
        number = int(str(value))
    except ValueError:
        raise ConfigurationError(f"{table}: {name}={value!r} is not a whole number") from None
    # The engine refuses numbers of more than 128 bits, and no column holds one of more than 32.
    return max(-(2**63), min(2**63, number))
