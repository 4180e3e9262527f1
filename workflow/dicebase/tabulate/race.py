"""The race table: the fewest turns, or throws, to a target."""

from collections.abc import Iterator
from functools import partial

from dicebase.matches.race import Match, Throws
from dicebase.progress import reporter
from dicebase.ranking import rank_exactly
from dicebase.rational import over_one_denominator
from dicebase.solve.race import race_turn, solve_race
from dicebase.solve.throws import race_q
from dicebase.tables import Rows
from dicebase.tabulate.positions import Positions


def tabulate(game: Match | Throws) -> Rows | Iterator[Rows]:
    """Every position of every turn, in doubles; or every score with every throw, in rationals."""
    return _throws(game) if isinstance(game, Throws) else _turns(game)


def _turns(game: Match) -> Iterator[Rows]:
    positions = Positions(game)
    values = solve_race(positions.turn, game.target, reporter("total"))
    return positions.one_by_one(list(game.records()), partial(race_turn, positions.turn, values))


def _throws(game: Throws) -> Rows:
    q = race_q([game.rules.gains(choice) for choice in game.rules.choices], game.target, game.unit_of_points)
    rows = Rows(game, exact=min(q[0]))
    for record, of_throw in zip(game.records(), q, strict=True):
        rows.add(record, game.actions(record), rank_exactly(*over_one_denominator(of_throw), sign=-1))
    return rows
