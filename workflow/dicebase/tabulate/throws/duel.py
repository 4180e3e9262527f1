"""The duel table of single throws: the mover's chance to win when throws alternate, in doubles."""

from collections.abc import Iterator

from dicebase.matches.duel import DuelOfThrows
from dicebase.solve.throws.duel import solve_alternate
from dicebase.solve.throws.race_and_reach import matrix
from dicebase.tables.writer import Rows
from dicebase.vocabulary import TIE, rank


def tabulate(game: DuelOfThrows) -> Iterator[Rows]:
    """Every pair of totals with every throw."""
    unit = game.unit_of_points
    q = matrix(game.gains, unit)
    worth = solve_alternate(q, game.totals, game.wipes)
    rows = Rows(game)
    for record in game.records():
        me, opponent = (points // unit for points in record)
        rows.add(record, game.actions(record), rank(worth[:, me, opponent].tolist(), tolerance=TIE))
    yield rows
