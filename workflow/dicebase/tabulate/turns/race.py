"""The race table: the fewest turns to a target, in doubles."""

from collections.abc import Iterator

from dicebase.matches.by_turns import StartsOfTurns
from dicebase.matches.race import RaceOfTurns
from dicebase.solve.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import rows_of
from dicebase.vocabulary.progress import reporter


def tabulate(listing: RaceOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Every position of every turn, or its start alone."""
    return rows_of(listing, lambda turn: solve_race(turn, listing.match.target, reporter("total")))
