"""The duel table: the mover's chance to win when turns alternate, in doubles."""

from collections.abc import Iterator

from dicebase.matches.duel import DuelOfTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.duel import solve_duel
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: DuelOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    yield _solved(game).starts()


def tabulate(game: DuelOfTurns) -> Iterator[Rows]:
    """Every position of every turn."""
    yield from _solved(game).inside()


def _solved(game: DuelOfTurns) -> Positions:
    turn = compile_turn(game.rules)
    return Positions(game, turn, solve_duel(turn, game.target, reporter("pair")))
