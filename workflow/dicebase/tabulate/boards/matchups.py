"""The matchups of a board of two players: every pair of its policies, and the best response to each."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from operator import itemgetter

import numpy as np

from dicebase.matches.board_matchups import (
    BEST_RESPONSE,
    FIRST_LISTED,
    OPTIMAL,
    PAIRS,
    POLICIES,
    RANDOM,
    ROWS,
    BoardMatchups,
)
from dicebase.solve.boards.matchups import earned
from dicebase.solve.boards.positions import Step, positions_of
from dicebase.tables.writer import Rows
from dicebase.tabulate.boards.positions import published_policy


def tabulate(listing: BoardMatchups) -> Iterator[Rows]:
    """The values of all pairs at every position, and the rows by who begins."""
    game = listing.game
    p = positions_of(game.rules)
    mixes = {BEST_RESPONSE: None} | mixes_of(p.step, published_policy(game, p))
    begin, values = {}, {}  # by the mover's policy and the other's
    for row, column in [*combinations_with_replacement(POLICIES, 2), *((BEST_RESPONSE, name) for name in POLICIES)]:
        first, second, (mine, theirs) = earned(p, mixes[row], mixes[column])
        begin[column, row], values[column, row] = -second, -theirs
        begin[row, column], values[row, column] = first, mine
    rows = Rows(listing)
    for row, column in ROWS:
        rows.add_row(row, column, "column", 1.0 - begin[column, row])
        rows.add_row(row, column, "row", begin[row, column])
    keys = [np.array([*map(itemgetter(i), p.states)]) for i in range(len(game.columns))]
    order = np.lexsort(keys[::-1])
    rows.set_pairs(PAIRS, [key[order] for key in keys], np.array([values[pair][order] for pair in PAIRS]))
    yield rows


def mixes_of(step: Step, best: np.ndarray) -> dict[str, np.ndarray]:
    """How often each policy takes each action, (A,), by its name; `best` : (S,), the actions of the optimal one."""
    counts = np.diff(step.first)
    mixes = {RANDOM: np.repeat(1 / counts, counts)}
    for name, chosen in ((OPTIMAL, best), (FIRST_LISTED, step.first[:-1])):
        mixes[name] = np.zeros(len(step.after))
        mixes[name][chosen] = 1.0
    return mixes
