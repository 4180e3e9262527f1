"""The reach table: the best chance of the target within so many turns, in doubles."""

from collections.abc import Iterator

from dicebase.matches.reach import ReachOfTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.reach import solve_reach
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: ReachOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    yield _solved(game).starts()


def tabulate(game: ReachOfTurns) -> Iterator[Rows]:
    """Every position of every turn."""
    yield from _solved(game).inside()


def _solved(game: ReachOfTurns) -> Positions:
    turn = compile_turn(game.rules)
    return Positions(game, turn, solve_reach(turn, game.target, game.limit, reporter("turn")))
