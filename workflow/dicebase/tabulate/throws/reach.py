"""The reach table of single throws: the best chance of the target within so many throws, in rationals."""

from collections.abc import Iterator

from dicebase.matches.reach import ReachOfThrows
from dicebase.solve.throws.race_and_reach import reach_q
from dicebase.tables.writer import Rows
from dicebase.vocabulary import over_one_denominator, rank


def tabulate(game: ReachOfThrows) -> Iterator[Rows]:
    """Every score with every throw."""
    tables = reach_q(game.gains, game.target, game.unit_of_points, game.limit)
    rows = Rows(game, exact=max(tables[-1][0]))
    q = (of_throw for table in tables for of_throw in table)
    for record, of_throw in zip(game.records(), q, strict=True):
        rows.add(record, game.actions(record), rank(*over_one_denominator(of_throw)))
    yield rows
