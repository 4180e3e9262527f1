"""The reach table: the best chance of the target within so many turns, or throws."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from dicebase.matches.reach import Match, Throws
from dicebase.progress import reporter
from dicebase.ranking import rank_exactly
from dicebase.rational import over_one_denominator
from dicebase.solve.reach import reach_turn, solve_reach
from dicebase.solve.throws import reach_q
from dicebase.tables import Rows
from dicebase.tabulate.positions import Positions


def tabulate(game: Match | Throws) -> Rows | Iterator[Rows]:
    """Every position of every turn, in doubles; or every score with every throw, in rationals."""
    return _throws(game) if isinstance(game, Throws) else _turns(game)


def _turns(game: Match) -> Iterator[Rows]:
    positions = Positions(game)
    values = solve_reach(positions.turn, game.target, game.limit, reporter("turn"))
    for left, records in groupby(game.records(), key=lambda record: record[0]):
        yield from positions.one_by_one(list(records), partial(reach_turn, positions.turn, values, left))


def _throws(game: Throws) -> Rows:
    gains = [game.rules.gains(choice) for choice in game.rules.choices]
    tables = reach_q(gains, game.target, game.unit_of_points, game.limit)
    rows = Rows(game, exact=max(tables[-1][0]))
    q = (of_throw for table in tables for of_throw in table)
    for record, of_throw in zip(game.records(), q, strict=True):
        rows.add(record, game.actions(record), rank_exactly(*over_one_denominator(of_throw)))
    return rows
