"""The duel table: the mover's chance to win when turns alternate, in doubles."""

from collections.abc import Iterator

from dicebase.matches.by_turns import StartsOfTurns
from dicebase.matches.duel import DuelOfTurns
from dicebase.solve.turns.duel import solve_duel
from dicebase.tables.writer import Rows
from dicebase.tabulate.turns.positions import rows_of
from dicebase.vocabulary.progress import reporter


def tabulate(listing: DuelOfTurns | StartsOfTurns) -> Iterator[Rows]:
    """Every position of every turn, or its start alone."""
    return rows_of(listing, lambda turn: solve_duel(turn, listing.match.target, reporter("pair")))
