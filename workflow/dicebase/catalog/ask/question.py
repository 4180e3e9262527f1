"""Turn the arguments of a lookup into a variant and a position of its table."""

import re
from collections.abc import Iterable, Mapping

from dicebase.catalog.ask.answer import Position
from dicebase.catalog.ask.solved_table import SolvedTable
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.tables.names import Variant
from dicebase.tables.parameter_values import one_spelling
from dicebase.vocabulary import ConfigurationError, as_roll, nearest, shown

LARGE = 2**53
"""Larger than every stored number, and small enough that sums do not overflow."""

POSITION = "position"
"""The name under which a question gives the text of a position instead of its state columns."""

WORDS = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
"""A column in the text of a position: in double quotes, as in CSV, or without spaces."""


def position_text(table: SolvedTable, variant: Variant, state: Position) -> str:
    """Return a position as one text: its state columns in the table's order; a roll in place of the dice comes last."""
    names = [*_text_columns(table, variant), *([ROLL] if table.is_rolled(state) else [])]
    texts = (str(state.get(name, "")) for name in names)
    return " ".join('"{}"'.format(x.replace('"', '""')) if re.search(r'[\s"]', x) else x or "-" for x in texts)


def read_text(table: SolvedTable, given: Mapping[str, object]) -> Mapping[str, object]:
    """Return a question with the columns of its position's text, if it gives one. Raises ConfigurationError for a text
    with too few or too many columns, or one of a column that is also given by name."""
    if POSITION not in given or POSITION in table.columns:
        return given
    text, rest = str(given[POSITION]), {n: x for n, x in given.items() if n != POSITION}
    variant = read_variant(table, {n: x for n, x in rest.items() if n in table.parameters}) if table.more else {}
    names = _text_columns(table, variant)
    alone = len(names) == 1 and names[0] in table.match.spelling and '"' not in text  # its spaces need no quotes
    words = [text] if alone else [plain or quoted.replace('""', '"') for quoted, plain in WORDS.findall(text)]
    if not len(names) <= len(words) <= len(names) + table.rolls:
        also = f", and a {ROLL} at the end if {DICE} is -" * table.rolls
        of = f"{len(names)}: {' '.join(names)}, with spaces between them and - for an empty one{also}"
        has = f"{len(words)} column{'s' * (len(words) != 1)}"
        raise ConfigurationError(f"{table.name}: {POSITION} {shown(text)} has {has}, not {of}")
    found = {n: x for n, x in zip([*names, ROLL], words, strict=False) if x != "-"}
    for name in (n for n, x in zip(names, words, strict=False) if x == "-" and n not in table.match.together):
        stored = [part.texts[name] for part in table.mapped.parts.values() if name in part.texts]
        found |= {name: "-" if any("-" in texts for texts in stored) else ""} if stored else {}
    for name in rest.keys() & found.keys():
        raise ConfigurationError(f"{table.name}: '{name}' is given by name and in the {POSITION} {shown(text)}")
    return rest | found


def _text_columns(table: SolvedTable, variant: Variant) -> list[str]:
    return [*table.own_columns(variant, {n: "" for n in table.columns if n not in table.parameters})]


def asked_columns(table: SolvedTable, given: Iterable[str]) -> dict[str, str]:
    """Return the parameters and state columns that a question needs, with their SQL types; if a roll is given, `roll`
    replaces `dice`. Raises ConfigurationError for a missing or unknown column."""
    names, columns = list(given), table.columns
    given = set(names)
    if len(given) < len(names):
        raise ConfigurationError(f"{table.name}: '{max(names, key=names.count)}' is given twice")
    for name, (column, _) in table.match.aliases.items():
        if {name, column} <= given:
            raise ConfigurationError(f"{table.name}: give '{column}' or '{name}', not both")
        given = given - {name} | ({column} if name in given else set())
    if table.rolls and {DICE, ROLL} <= given:
        raise ConfigurationError(f"{table.name}: give '{DICE}' (to be rolled) or '{ROLL}' (as they fell), not both")
    known = [*columns, *([ROLL] if table.rolls else [])]
    for name in sorted(given - set(known)):
        hint = nearest(name, [*known, *table.match.aliases])
        raise ConfigurationError(f"{table.name}: '{name}' is not a parameter or state column{hint}")
    rolled = table.is_rolled(given)
    asked = {n: kind for n, kind in columns.items() if n != DICE or not rolled} | ({ROLL: "VARCHAR"} if rolled else {})
    if given.isdisjoint(table.match.together):
        asked = {n: kind for n, kind in asked.items() if n not in table.match.together}
    for name in asked:
        if name not in given and name not in table.parameters and name not in table.match.defaults:
            either = {DICE: f"{DICE} or {ROLL}"} if table.rolls else {}
            needed = ", ".join(either.get(n, n) for n in columns if n not in table.parameters)
            missing = either.get(name, name).replace(" or ", "' or '")
            raise ConfigurationError(f"{table.name}: '{missing}' is missing; a position needs {needed}")
    return asked


def read_variant(table: SolvedTable, given: Mapping[str, object]) -> Variant:
    """Return the variant; omitted parameters take their defaults. Raises ConfigurationError for an invalid value."""
    given = {n: p.default for n, p in table.parameters.items()} | dict(given)
    # None accepts any name here; the solved variants know the definitions.
    definitions = {n: {one_spelling(given[n]): None} for n, p in table.parameters.items() if p.defined}
    return table.table.variant(given, definitions, table.name)


def read_position(table: SolvedTable, given: Mapping[str, object]) -> tuple[Variant, Position]:
    """Return the variant and the state."""
    given = read_text(table, given)
    asked = asked_columns(table, given)
    variant = read_variant(table, {name: given[name] for name in table.parameters if name in given})
    said = {**table.match.defaults, **given}
    said |= {n: f"{before}{given[alias]}" for alias, (n, before) in table.match.aliases.items() if alias in given}
    state = {n: state_value(table, variant, n, asked[n], said[n]) for n in asked if n not in variant}
    return variant, table.own_columns(variant, state)


def read_words(table: SolvedTable, variant: Variant, column: str, said: str) -> int | None:
    """Return the number that words stand for in a column; None if the column takes no words. Raises ConfigurationError
    for unknown words and MissingTableError if the variant is not solved."""
    game = (table.find(variant) or table.variants[0]).game
    words = next((c.words for c in game.columns if c.name == column), None) or {}
    plain = {"true": "yes", "false": "no"}.get(said.lower(), said.lower())
    if (found := next((int(n) for n, word in words.items() if word.lower() == plain), None)) is not None:
        return found
    if column not in table.match.reads:
        return None
    solved = table.require(variant)
    try:
        return solved.game.read(column, said)
    except ConfigurationError as error:
        aliases = table.match.aliases.items()
        name = next((alias for alias, (n, before) in aliases if n == column and said.startswith(before)), column)
        raise ConfigurationError(f"{table.name}: {name}: {error}") from error


def spelled(table: SolvedTable, name: str, text: str) -> str:
    """Return the one spelling of a text in a state column. Raises ConfigurationError for a text that it cannot have."""
    try:
        return table.match.spelling.get(name, str)(text)
    except ConfigurationError as error:
        raise ConfigurationError(f"{table.name}: {name}: {error}") from error


def state_value(table: SolvedTable, variant: Variant, name: str, kind: str, value: object) -> int | str:
    """Read a value of a state column; `kind` is its SQL type. Raises ConfigurationError for a value of another type."""
    try:
        text = str(value)
        if kind == "VARCHAR":
            return as_roll(text) if name == ROLL else spelled(table, name, text)
        whole, long = text.isascii() and text.removeprefix("-").isdecimal(), len(text) > 1000
    except ValueError:  # Python refuses to print this many digits
        whole = long = True
    if not (whole or long) and (number := read_words(table, variant, name, text)) is not None:
        return number
    if not whole or long:
        raise ConfigurationError(
            f"{table.name}: {name}={shown(value)} is {'too long' if whole else 'not'} a whole number"
        )
    return int(text)
