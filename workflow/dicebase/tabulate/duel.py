"""The duel table: the mover's chance to win when turns, or throws, alternate; in doubles."""

from collections.abc import Iterator

from dicebase.matches.duel import Match, Throws
from dicebase.progress import reporter
from dicebase.ranking import rank_doubles
from dicebase.solve.alternate import solve_alternate
from dicebase.solve.duel import duel_turns, solve_duel
from dicebase.solve.throws import matrix
from dicebase.tables import Rows
from dicebase.tabulate.positions import Positions


def tabulate(game: Match | Throws, threads: int = 1) -> Rows | Iterator[Rows]:
    """Every position of every turn, a total of the mover at a time; or every pair of totals with every throw."""
    return _throws(game) if isinstance(game, Throws) else _turns(game, threads)


def _turns(game: Match, threads: int) -> Iterator[Rows]:
    positions = Positions(game)
    values, report = solve_duel(positions.turn, game.target, reporter("pair"), threads), reporter("total")
    points = range(0, game.target, positions.turn.unit)
    for me in range(positions.size):
        roll, bank = duel_turns(positions.turn, values, me)
        need = [positions.size - me] * positions.size
        yield positions.rows([(points[me], opponent) for opponent in points], need, roll, bank)
        report(me + 1, positions.size)


def _throws(game: Throws) -> Rows:
    unit = game.unit_of_points
    q = matrix([game.rules.gains(choice) for choice in game.rules.choices], unit)
    worth = solve_alternate(q, game.totals, game.wipes, reporter("sweep"))
    rows = Rows(game)
    for record in game.records():
        me, opponent = (points // unit for points in record)
        rows.add(record, game.actions(record), rank_doubles(worth[:, me, opponent].tolist()))
    return rows
