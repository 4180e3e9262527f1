"""The duel table: the mover's chance to win when turns alternate, in doubles."""

from collections.abc import Iterator

from dicebase.matches.duel import DuelOfTurns
from dicebase.solve.turns.duel import duel_turns, solve_duel
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def starts(game: DuelOfTurns) -> Iterator[Rows]:
    """The start of every turn."""
    positions = Positions(game)
    yield positions.starts(solve_duel(positions.turn, game.target, reporter("pair")).ravel())


def tabulate(game: DuelOfTurns) -> Iterator[Rows]:
    """Every position of every turn, a total of the mover at a time."""
    positions = Positions(game)
    values, report = solve_duel(positions.turn, game.target, reporter("pair")), reporter("total")
    points = range(0, game.target, positions.turn.unit)
    for me in range(positions.size):
        roll, bank = duel_turns(positions.turn, values, me)
        need = [positions.size - me] * positions.size
        yield positions.rows([(points[me], opponent) for opponent in points], need, roll, bank)
        report(me + 1, positions.size)
