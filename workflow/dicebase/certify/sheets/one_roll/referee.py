"""The referee of scorecards: it throws the rolls of a card and places each in the slot of the greatest published worth.

The worth of a slot is the published value of the free slots that are left, and what the slot scores. Of equal ones
the lowest is taken.
"""

import math
from collections.abc import Sequence

import numpy as np

from dicebase.certify.chance import dice, throw
from dicebase.certify.published import Published
from dicebase.certify.sheets.one_roll.sets import gains_of
from dicebase.matches.scorecards import FollowedPlacements
from dicebase.vocabulary import MultiplierScorecard, Scorecard
from dicebase.vocabulary.kernels import inner, kernel


def spread_of(rules: Scorecard) -> float:
    """How far apart two final scores can be."""
    return float(np.ptp(gains_of(rules), axis=1).sum())


def scores_by_values(
    listing: FollowedPlacements, published: Published, start: int, streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """(final score of each game, placements looked at) by the published values.

    start : the points that the first roll finds, where the table has such a column.
    streams : moved on.
    """
    rules, free = listing.rules, published.keys[0]
    first = np.searchsorted(free, np.arange((1 << rules.slots) + 1))
    points = (published.keys[1] if listing.points else np.zeros(len(free))).astype(np.int64)
    step = listing.step if listing.points else 0
    how = start, step, listing.enough, listing.gains
    scores = np.zeros(len(streams))
    card = dice([rules.weights.values()]), gains_of(rules)
    _by_values(*card, first, points, published.values, *how, scores, streams)
    return scores, len(streams) * math.comb(rules.slots + 1, 2)


def scores_by_rank(
    rules: MultiplierScorecard, factors: Sequence[int], expected: Sequence[Sequence[float]], streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """(final score of each game, rolls placed) where a roll goes to the slot whose expected rolls it lies
    between, the lowest of slots that are equally good.

    factors : of the slots, never falling.
    expected : E_j for j = 0 to slots - 1, in rising order; see matches/rank.py.
    streams : moved on.
    """
    rows = np.array([e for row in expected for e in row], float)
    first = np.cumsum([0, *map(len, expected)])
    thrown, rolls = dice([rules.weights.values()]), np.array(list(rules.weights))
    return _by_rank(thrown, rolls, np.array(factors), rows, first, streams), len(streams) * len(factors)


@kernel
def _by_values(thrown, gains, first, points, values, start, step, enough, adds, scores, streams):
    slots = len(gains)
    for game in range(len(streams)):
        free, at = (1 << slots) - 1, start
        while free:
            roll = throw(thrown, 0, streams, game)
            best, most = -1, -np.inf
            for slot in range(slots):
                if not free >> slot & 1:
                    continue
                gain, left = gains[slot, roll], free & ~(1 << slot)
                worth = _value(first, points, values, left, at + step * gain)
                if enough and at <= gain:
                    worth = 1.0
                if adds:
                    worth += gain
                if worth > most:
                    best, most = slot, worth
            scores[game] += gains[best, roll]
            at += step * gains[best, roll]
            free &= ~(1 << best)


@inner
def _value(first, points, values, free, at):
    """Of some free slots and points; a row that is not stored is worth 0."""
    low, high = first[free], first[free + 1]
    if low == high:
        return 0.0
    guess = low + at - points[low]  # most often points follow one another
    if low <= guess < high and points[guess] == at:
        return values[guess]
    row = low + np.searchsorted(points[low:high], at)
    return values[row] if row < high and points[row] == at else 0.0


@kernel(_nrt=True)
def _by_rank(thrown, rolls, factors, expected, first, streams):
    scores = np.zeros(len(streams))
    for game in range(len(streams)):
        free = factors.copy()
        for left in range(len(factors) - 1, -1, -1):
            roll = rolls[throw(thrown, 0, streams, game)]
            rank = np.searchsorted(expected[first[left] : first[left + 1]], roll)
            scores[game] += free[rank] * roll
            for i in range(rank, left):
                free[i] = free[i + 1]
    return scores
