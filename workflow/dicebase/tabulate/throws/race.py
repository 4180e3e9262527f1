"""The race table of single throws: the fewest throws to a target, in rationals."""

from collections.abc import Iterator

from dicebase.matches.race import RaceOfThrows
from dicebase.solve.throws.race_and_reach import race_q
from dicebase.tables.writer import Rows
from dicebase.vocabulary import over_one_denominator, rank


def tabulate(game: RaceOfThrows) -> Iterator[Rows]:
    """Every score with every throw."""
    q = race_q(game.gains, game.target, game.unit_of_points)
    rows = Rows(game, exact=min(q[0]))
    for record, of_throw in zip(game.records(), q, strict=True):
        rows.add(record, game.actions(record), rank(*over_one_denominator(of_throw), sense=-1))
    yield rows
