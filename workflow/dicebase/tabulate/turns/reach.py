"""The reach table: the best chance of the target within so many turns, in doubles."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from dicebase.matches.reach import ReachOfTurns
from dicebase.solve.turns.reach import reach_turn, solve_reach
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: ReachOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    positions = Positions(game)
    values = solve_reach(positions.turn, game.target, game.limit, reporter("turn"))
    yield positions.starts(values[1:].ravel())


def tabulate(game: ReachOfTurns) -> Iterator[Rows]:
    """Every position of every turn."""
    positions = Positions(game)
    values = solve_reach(positions.turn, game.target, game.limit, reporter("turn"))
    for left, records in groupby(game.records(), key=lambda record: record[0]):
        yield from positions.one_by_one(list(records), partial(reach_turn, positions.turn, values, left))
