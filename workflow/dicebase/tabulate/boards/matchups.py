"""The matchups of a board of two players: every pair of its policies, and the best response to each."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.board_matchups import BEST_RESPONSE, FIRST_LISTED, OPTIMAL, PAIRS, RANDOM, BoardMatchups
from dicebase.solve.boards.matchups import earned
from dicebase.solve.boards.positions import Step, positions_of
from dicebase.tables.writer import Rows
from dicebase.tabulate.boards.positions import published_policy


def tabulate(listing: BoardMatchups) -> Iterator[Rows]:
    """All pairs, by who begins."""
    game = listing.game
    p = positions_of(game.rules)
    mixes = {BEST_RESPONSE: None} | mixes_of(p.step, published_policy(game, p))
    rows = Rows(listing)
    for row, column in PAIRS:
        first, second, _ = earned(p, mixes[row], mixes[column])
        rows.add_row(row, column, "column", 1.0 + second)
        rows.add_row(row, column, "row", first)
    yield rows


def mixes_of(step: Step, best: np.ndarray) -> dict[str, np.ndarray]:
    """How often each policy takes each action, (A,), by its name; `best` : (S,), the actions of the optimal one."""
    counts = np.diff(step.first)
    mixes = {RANDOM: np.repeat(1 / counts, counts)}
    for name, chosen in ((OPTIMAL, best), (FIRST_LISTED, step.first[:-1])):
        mixes[name] = np.zeros(len(step.after))
        mixes[name][chosen] = 1.0
    return mixes
