"""From what is given for a lookup, as words or values, to a variant and a position of its table."""

from collections.abc import Iterable, Mapping

from dicebase.catalog.answer import Position
from dicebase.catalog.solved_tables import SolvedTable
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.tables.names import Variant
from dicebase.vocabulary import ConfigurationError, nearest, shown

APART = str.maketrans("", "", " ,;-[](){}")
"""What people write between dice, and around them."""


def asked_columns(table: SolvedTable, given: Iterable[str]) -> dict[str, str]:
    """The parameters and state columns of a question with their SQL types: those of the table, or, where dice are kept
    and a roll is given, the roll in the place of the dice in the hand. Raises ConfigurationError for a question that
    lacks a state column or has one that is unknown."""
    names, columns = list(given), table.columns
    given = set(names)
    if len(given) < len(names):
        raise ConfigurationError(f"{table.name}: '{max(names, key=names.count)}' is there twice")
    if table.rolls and {DICE, ROLL} <= given:
        raise ConfigurationError(f"{table.name}: give '{DICE}' (to be rolled) or '{ROLL}' (as they fell), not both")
    known = [*columns, *([ROLL] if table.rolls else [])]
    for name in sorted(given - set(known)):
        raise ConfigurationError(f"{table.name}: '{name}' is no parameter or state column{nearest(name, known)}")
    rolled = table.is_rolled(given)
    asked = {n: kind for n, kind in columns.items() if n != DICE or not rolled} | ({ROLL: "VARCHAR"} if rolled else {})
    for name in asked:
        if name not in given and name not in table.parameters:
            either = {DICE: f"{DICE} or {ROLL}"} if table.rolls else {}
            needed = ", ".join(either.get(n, n) for n in columns if n not in table.parameters)
            missing = either.get(name, name).replace(" or ", "' or '")
            raise ConfigurationError(f"{table.name}: '{missing}' is missing; a position needs {needed}")
    return asked


def read_variant(table: SolvedTable, given: Mapping[str, object]) -> Variant:
    """The variant, parameters that are not given being the defaults; raises ConfigurationError for one that is none."""
    # The tables know which names were defined when they were built.
    definitions = {n: {str(given.get(n, p.default)): None} for n, p in table.parameters.items() if p.defined}
    return table.table.variant(given, definitions, table.name)


def read_position(table: SolvedTable, given: Mapping[str, object]) -> tuple[Variant, Position]:
    """The variant and the state."""
    asked = asked_columns(table, given)
    variant = read_variant(table, {name: given[name] for name in table.parameters if name in given})
    return variant, {n: _state_value(table.name, n, asked[n], given[n]) for n in asked if n not in variant}


def as_roll(text: str) -> str:
    """A roll as the tables write it, from how people do: 11355, 1,1,3,5,5, [1, 1, 3, 5, 5], in any order; other text as
    it is."""
    digits = text.translate(APART)
    return "".join(sorted(digits)) if digits.isascii() and digits.isdigit() else text


def _state_value(table: str, name: str, kind: str, value: object) -> int | str:
    try:
        text = str(value)
        if kind == "VARCHAR":
            return as_roll(text) if name == ROLL else text
        whole, long = text.isascii() and text.removeprefix("-").isdecimal(), len(text) > 1000
    except ValueError:  # more digits than Python writes
        whole = long = True
    if not whole or long:
        raise ConfigurationError(f"{table}: {name}={shown(value)} is {'too long' if whole else 'not'} a whole number")
    return int(text)
