"""The reach table: the best chance of the target within so many turns, in doubles."""

from collections.abc import Iterator

from dicebase.matches.by_turns import StartsOfTurns
from dicebase.matches.reach import ReachOfTurns
from dicebase.solve.turns.reach import solve_reach
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import rows_of
from dicebase.vocabulary.progress import reporter


def tabulate(listing: ReachOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Every position of every turn, or its start alone."""
    match = listing.match
    return rows_of(listing, lambda turn: solve_reach(turn, match.target, match.limit, reporter("turn")))
