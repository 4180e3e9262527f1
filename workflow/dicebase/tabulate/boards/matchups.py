"""The matchups of a board of two players: every pair of its policies, and the best response to each."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.board_matchups import BEST_RESPONSE, FIRST_LISTED, OPTIMAL, PAIRS, RANDOM, BoardMatchups
from dicebase.solve.boards.matchups import earned
from dicebase.solve.boards.order import solving_order
from dicebase.solve.boards.positions import positions_of
from dicebase.tables.writer import Rows
from dicebase.tabulate.boards.positions import published_policy


def tabulate(listing: BoardMatchups) -> Iterator[Rows]:
    """All pairs, by who begins."""
    game = listing.game
    p = positions_of(game.rules)
    order, counts = solving_order(p.step), np.diff(p.step.first)
    mixes = {BEST_RESPONSE: None, RANDOM: np.repeat(1 / counts, counts)}
    for name, chosen in ((OPTIMAL, published_policy(game, p, *order)), (FIRST_LISTED, p.step.first[:-1])):
        mixes[name] = np.zeros(len(p.action))
        mixes[name][chosen] = 1.0
    rows = Rows(listing)
    for row, column in PAIRS:
        first, second = earned(p.step, mixes[row], mixes[column], *order)
        rows.add_row(row, column, "column", 1.0 + second)
        rows.add_row(row, column, "row", first)
    yield rows
