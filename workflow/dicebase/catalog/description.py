"""Describe a table (its rules, its solved variants, the columns of a position) or a game and its rule sets."""

from collections.abc import Mapping
from typing import Any

from dicebase.catalog.ask.solved_table import SolvedTable
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.families import family_of
from dicebase.tables.follow.rolls import DICE, ROLL, ROLLED
from dicebase.tables.names import Definitions, Table, find_game
from dicebase.vocabulary import ConfigurationError, Json, answered, in_lines, nearest, parameters_of

MOST = 1000
"""The most texts of a column that a description lists."""


def describe(table: SolvedTable) -> Json:
    """See Catalog.describe."""
    value = table.match.value
    of_parts = {id(v.part) if table.mapped.parts else 0: v for v in table.variants}.values()
    listed = {c.name: c for variant in of_parts for c in variant.game.columns}
    listed |= {c.name: c for c in table.table.followed.state_columns} if table.table.followed else {}
    state = {n: kind for n, kind in table.columns.items() if n not in table.parameters}
    return {
        "table": table.name,
        "title": table.table.title,
        "game_title": table.table.rules_class.title,
        "rules": table.table.rules,
        "citation": table.table.rules_class.citation,
        "unit": value.unit,
        "value_is": table.match.asked or value.description,
        "decides": table.match.layout.decides,
        "parameters": [
            {"name": p.name, "kind": "integer" if p.kind is int else "string", "default": p.default}
            | {"description": p.description, "allowed": p.allowed, "solved": table.solved_values(p.name)}
            | (_defined(table.table, p.name, _definitions(table, p.name)) if p.defined else {})
            | ({"words": dict(p.choices)} if p.choices else {})
            for p in table.parameters.values()
        ],
        "columns": [
            {"name": n, "kind": "string" if kind == "VARCHAR" else "integer"}
            | {"description": listed[n].description, "unit": listed[n].unit, "stored": _stored(table, n)}
            | ({"default": table.match.defaults[n]} if n in table.match.defaults else {})
            for n, kind in state.items()
        ],
        "roll": ROLLED if table.rolls else "",
        "example": _example(table),
    }


def example_drawn(table: SolvedTable, example: Mapping[str, int | str]) -> list[str]:
    """Draw a table's example as lines of text; empty without decisions, and for games without a board."""
    variant = table.find({name: example[name] for name in table.parameters})
    if not variant or not table.match.layout.decides or not (family := family_of(variant.game.rules)).is_board:
        return []
    return family.picture(variant.game.rules, {c.name: example[c.name] for c in variant.game.columns})


def describe_game(name: str, given: Mapping[str, str], definitions: Definitions) -> Json:
    """Describe a game and its named rule sets: {game, title, rules, citation, parameters: [{name, description,
    definitions, cards}], tables}. `given` ({parameter: name}) restricts the answer to these names. Raises
    MissingTableError for an unknown game and ConfigurationError for an unknown parameter or name."""
    made = find_game(name)
    parameters = {p.name: p for table in made for p in table.parameters if p.defined}
    for p, value in given.items():
        if p not in parameters:
            raise ConfigurationError(f"{name}: '{p}' is not a parameter that takes names{nearest(p, parameters)}")
        if value not in (known := definitions.get(p, {})):
            raise ConfigurationError(f"{name}: {p} '{value}' is not defined{nearest(value, known)}")
    shown = {p: {n: c for n, c in definitions.get(p, {}).items() if n == given.get(p, n)} for p in given or parameters}
    said = [{"name": p, "description": parameters[p].description} | _defined(made[0], p, shown[p]) for p in shown]
    about = {"game": name, "title": made[0].rules_class.title, "rules": made[0].rules_of_game}
    about |= {"citation": made[0].rules_class.citation, "parameters": said}
    return about | {"tables": [table.name for table in made]}


def solved_definitions(tables: SolvedTables, game: str) -> dict[str, Json]:
    """Return {parameter: {name: definition}} as the solved tables of a game were built with."""
    found: dict[str, Json] = {}
    for table in (tables[table.name] for table in find_game(game) if table.name in tables):
        for p in (p for p in table.parameters if table.parameters[p].defined):
            found.setdefault(p, {}).update(_definitions(table, p))
    return found


def _defined(table: Table, parameter: str, definitions: Json) -> Json:
    """Return the definitions of names, as the configuration writes them and as lines of text (`cards`)."""
    own = parameter in {p.name for p in parameters_of(table.rules_class)}

    def said(name: str, content: Any) -> list[str]:
        if not own:
            return in_lines(content)
        rules = table.build_rules({parameter: name}, {parameter: definitions})  # raises for an invalid definition
        return answered("in_words", rules.in_words, parameter)

    return {"definitions": dict(definitions), "cards": {name: said(name, x) for name, x in definitions.items()}}


def _definitions(table: SolvedTable, parameter: str) -> Json:
    """Return {name: definition} for one parameter of a solved table."""
    found = (v.definitions.get(parameter, {}) for v in table.variants)
    return {name: content for names in found for name, content in names.items() if content is not None}


def _stored(table: SolvedTable, column: str) -> list[int | str]:
    """Return the least and greatest number in a state column, or at most MOST of its texts; empty if most rows are not
    stored but follow from others."""
    game, parts = table.variants[0].game, table.mapped.parts.values()
    follows = table.mapped.starts and column not in {c.name for c in game.record_columns}
    texts = next((part.texts[column] for part in parts if column in part.texts), None)
    if not parts or follows or column in table.match.together or (column in table.match.spelling and not texts):
        return []
    if texts:
        return texts[:MOST]
    numbers = [x for part in parts for x in part.labels(column)]
    if not numbers:  # the column is the roll, which no row stores
        numbers = game.rules.weights
    return [min(numbers), max(numbers)]


def _example(table: SolvedTable) -> dict[str, int | str]:
    """Return a position with its parameters: from the middle of the rows, or the first one of a board game; in the
    default variant if that is solved."""
    variant = table.find({name: p.default for name, p in table.parameters.items()}) or table.variants[0]
    rules = variant.game.rules
    if table.match.layout.decides and (first := family_of(rules).first_position(rules)):
        return variant.parameters | first
    part = variant.part
    key = part.key(variant.parameters)
    while len(key) < len(part.columns):
        following = part.following(key)
        key.append(following[len(following) // 2])
    row = {n: part.texts[n][x] if n in part.texts else x for n, x in zip(part.columns, key, strict=True)}
    if table.rolls:
        rolls = [roll.dice for roll in rules.rolls(0, row.pop(DICE)) if roll.options]
        row[ROLL] = rolls[len(rolls) // 2]
    if table.match.together:
        return row | dict(zip(table.match.together, ("1" * (rules.dice - 1) + "2", rules.rolls - 1), strict=True))
    if variant.followed:  # the rows hold positions before the roll
        rolls = list(rules.weights)
        row |= {name: rolls[len(rolls) // 2] for name in table.columns if name not in row}
    return row
