"""The race table: the fewest turns to a target, in doubles."""

from collections.abc import Iterator

from dicebase.matches.race import RaceOfTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: RaceOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    yield _solved(game).starts()


def tabulate(game: RaceOfTurns) -> Iterator[Rows]:
    """Every position of every turn."""
    yield from _solved(game).inside()


def _solved(game: RaceOfTurns) -> Positions:
    turn = compile_turn(game.rules)
    return Positions(game, turn, solve_race(turn, game.target, reporter("total")))
