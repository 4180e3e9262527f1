"""One position in, its ranked actions out."""

from collections.abc import Mapping

from dicebase.catalog.ask.answer import Action, Answer
from dicebase.catalog.ask.question import read_position
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.families import family_of
from dicebase.vocabulary import MissingStateError


def look_up(tables: SolvedTables, name: str, position: Mapping[str, object]) -> Answer:
    """All legal actions of a position; see Catalog.lookup."""
    table = tables[name]
    variant, state = read_position(table, position)
    for source in tables.sources(name):
        if ranking := source.one(variant, state):
            game, (value, actions, values, beyond) = source.game(variant), ranking
            rules, family = game.rules, family_of(game.rules)
            actions = tuple(Action(*a[:-1], family.odds(rules, state, a.action)) for a in actions)
            unit, counted = game.value.unit, table.match.action_unit
            return Answer(name, variant, state, unit, value, actions, values, counted, beyond)
    raise MissingStateError(table.why_missing(table.find(variant).game, state, variant | state))
