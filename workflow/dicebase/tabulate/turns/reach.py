"""The reach table: the best chance of the target within so many turns, in doubles."""

from collections.abc import Iterator

from dicebase.matches.by_turns import StartsOfTurns
from dicebase.matches.reach import ReachOfTurns
from dicebase.solve.turns.compiled import compile_turn
from dicebase.solve.turns.reach import solve_reach
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import Positions
from dicebase.vocabulary.progress import reporter


def tabulate(listing: ReachOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Every position of every turn, or its start alone."""
    turn = compile_turn(listing.match.rules)
    values = solve_reach(turn, listing.match.target, listing.match.limit, reporter("turn"))
    return Positions(listing, turn, values).rows()
