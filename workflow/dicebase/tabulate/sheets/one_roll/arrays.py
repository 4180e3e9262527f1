"""Scorecards as arrays; and rows of listings by the points of the other slots."""

from collections.abc import Sequence

import numpy as np

from dicebase.matches.scorecards import FollowedPlacements
from dicebase.solve.sheets.one_roll.distribution import Scores
from dicebase.solve.sheets.one_roll.payoffs import maximise
from dicebase.tables.writer import Rows
from dicebase.vocabulary import Scorecard


def gains_of(rules: Scorecard) -> np.ndarray:
    """What each slot scores for each roll, shape (slots, rolls)."""
    return np.array([[rules.gain(slot, roll) for roll in rules.weights] for slot in range(1, rules.slots + 1)])


def probabilities_of(rules: Scorecard) -> np.ndarray:
    """Of each roll, shape (rolls,)."""
    total = sum(rules.weights.values())
    return np.array([weight / total for weight in rules.weights.values()])


def rows_of_payoff(
    listing: FollowedPlacements,
    scores: Scores,
    payoff: np.ndarray,
    tie: np.ndarray,
    points: Sequence[np.ndarray],
    scored: Sequence[np.ndarray],
) -> Rows:
    """Rows by set of free slots and points, beside those of the strategy that maximises the expected score.

    payoff, tie : by final score from the least, as for `maximise`. points : by set, the column of the listing; scored :
    the points of the other slots that it stands for.
    """
    best = scores.order[:, :, 0].astype(np.int64)
    arrays = maximise(probabilities_of(listing.rules), scores.shifts, best, payoff.astype(float), tie.astype(float))
    least, parts = scores.gains.min(axis=1), []
    for free, (column, filled) in enumerate(zip(points, scored, strict=True)):
        above = filled - sum(int(least[i]) for i in range(len(least)) if not free >> i & 1)
        columns = (array[free, np.minimum(above, scores.size - 1)] for array in arrays[: 1 + len(listing.more)])
        parts.append((np.full(len(column), free), column, *columns))
    rows = Rows(listing)
    rows.set_rows(*map(np.concatenate, zip(*parts, strict=True)))
    return rows
