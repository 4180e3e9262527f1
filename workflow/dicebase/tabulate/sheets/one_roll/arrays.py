"""Rows of listings by the free slots and the points of the others."""

from collections.abc import Sequence

import numpy as np

from dicebase.matches.scorecards import FollowedPlacements
from dicebase.solve.sheets.one_roll.payoffs import maximise
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.tables.writer import Rows


def rows_of_payoff(
    listing: FollowedPlacements,
    card: Card,
    payoffs: tuple[np.ndarray, np.ndarray],
    points: Sequence[np.ndarray],
    scored: Sequence[np.ndarray],
) -> Rows:
    """Rows by set of free slots and points, beside those of the strategy that maximises the expected score.

    payoffs : the payoff and the tie, by final score from the least, as for `maximise`. points : by set, the column of
    the listing; scored : the points of the other slots that it stands for.
    """
    best = card.order[:, :, 0].astype(np.int64)
    arrays = maximise(card.chances, card.shifts, best, *payoffs)
    least, parts = card.gains.min(axis=1), []
    for free, (column, filled) in enumerate(zip(points, scored, strict=True)):
        above = filled - sum(int(least[i]) for i in range(len(least)) if not free >> i & 1)
        columns = (array[free, np.minimum(above, card.size - 1)] for array in arrays[: 1 + len(listing.more)])
        parts.append((np.full(len(column), free), column, *columns))
    rows = Rows(listing)
    rows.set_rows(*map(np.concatenate, zip(*parts, strict=True)))
    return rows
