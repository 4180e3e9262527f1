"""Recompute values by free slots, and points if they matter (score, exceed, versus), from those with one slot fewer.

Arrays are by (free slots as a bit mask, points); the referee plays by the same arrays.
"""

import math

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.play.chance import dice, throw
from dicebase.certify.published import Published, refuse
from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.matches.sheets.scorecards import FollowedPlacements
from dicebase.vocabulary import Scorecard
from dicebase.vocabulary.kernels import inner, kernel


def arrays_of(listing: FollowedPlacements, published: Published) -> tuple[np.ndarray, int]:
    """Return the published columns, (columns, 2**slots, points), and the points at index 0. Entries without a row are
    0, or 1 at index 0 if `listing.enough`."""
    points = published.keys[1] if listing.points else np.zeros(1, np.int64)
    low = 0 if listing.enough else int(points.min())
    arrays = np.zeros((1 + len(listing.more), 1 << listing.rules.slots, int(points.max()) - low + 1))
    arrays[:, :, 0] = listing.enough
    for array, column in zip(arrays, (published.values, *published.more), strict=True):
        array[published.keys[0], points - low] = column
    return arrays, low


def check_steps(
    listing: FollowedPlacements, published: Published, fail: Fail, final: np.ndarray | None = None, error: float = 0.0
) -> tuple[float, float]:
    """Recompute every number from the published ones of the sets with one slot fewer; return the largest error bound
    and the largest residual. The bound sums residuals and rounding over the number of free slots.

    final : (columns, rows), the columns of full cards, if they have rows; each has an error of at most `error`.
    """
    rules, free = listing.rules, published.keys[0].astype(np.int64)
    points = published.keys[1].astype(np.int64) if listing.points else np.zeros(len(free), np.int64)
    columns, again = (published.values, *published.more), np.zeros((1 + len(listing.more), len(free)))
    choice = Alone(rules).best if listing.more else np.zeros((1, 1), np.int8)
    _again(*_card(rules), *arrays_of(listing, published), listing.step, listing.gains, free, points, choice, again)
    if final is not None:
        again[:, free == 0] = final
    sizes, most = np.bitwise_count(free), np.abs(rules.gains).max() if listing.gains else 0
    errors, worst = np.zeros(len(columns)), 0.0
    for k in np.unique(sizes).tolist():
        rows = sizes == k
        before = np.abs(published.values[sizes == k - 1]).max(initial=0.0 if listing.gains else 1.0)
        # Each term is rounded when adding the gain, computing and multiplying the probability, and summing.
        rounding = EPSILON * (len(rules.weights) + 3) * (most + before) if k else error
        for c, (column, of) in enumerate(zip(columns, (listing.value, *listing.more), strict=True)):
            difference = np.abs(again[c] - column)
            what = f"the {of.name} is {{!r}}, the rules give {{!r}}"
            refuse(published.keys, fail, rows & ~(difference <= 4 * rounding), what, column, again[c])
            largest = float(difference[rows].max())
            errors[c], worst = errors[c] + largest + rounding, max(worst, largest)
    return float(errors.max()), worst


def count_decisions(rules: Scorecard, free: np.ndarray) -> tuple[int, int]:
    """Return the number of states and actions that follow from rows with these sets of free slots."""
    rolls = len(rules.weights)
    return rolls * int(np.count_nonzero(free)), rolls * int(np.bitwise_count(free).sum(dtype=np.int64))


def scores_by_values(
    listing: FollowedPlacements, published: Published, start: int, streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the final scores, (games,), and the number of placements considered, if each roll goes to the slot of the
    greatest published value, the lowest if equal. start : the points before the first roll. Advances the streams."""
    rules, (arrays, low), scores = listing.rules, arrays_of(listing, published), np.zeros(len(streams))
    thrown, (_, gains) = dice([rules.weights.values()]), _card(rules)
    _play(thrown, gains, arrays[0], low, listing.step, listing.gains, start, scores, streams)
    return scores, len(streams) * math.comb(rules.slots + 1, 2)


def _card(rules: Scorecard) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of the rolls, and the points by (slot, roll)."""
    return np.array([weight / sum(rules.odds) for weight in rules.odds]), np.array(rules.gains)


@inner
def _best(gains, values, low, step, adds, free, points, x):
    """Return the greatest value of placing roll x, and the slot that has it."""
    most, best, last = -np.inf, 0, values.shape[1] - 1
    for i in range(len(gains)):
        if free >> i & 1:
            value = values[free ^ 1 << i, min(max(points + step * gains[i, x] - low, 0), last)] + adds * gains[i, x]
            if value > most:
                most, best = value, i
    return most, best


@kernel
def _again(chances, gains, arrays, low, step, adds, free, points, choice, again):
    """Recompute `again` (columns, rows) from `arrays`; chances : (rolls,); choice : (2**slots, rolls), for column 1."""
    last = arrays.shape[2] - 1
    for row in range(len(free)):
        for x in range(len(chances) if free[row] else 0):
            value, best = _best(gains, arrays[0], low, step, adds, free[row], points[row], x)
            again[0, row] += chances[x] * value
            for c in range(1, len(arrays)):
                # Column 1 follows the score-optimal strategy, the others the best placements.
                i = choice[free[row], x] if c == 1 else best
                at = min(max(points[row] + step * gains[i, x] - low, 0), last)
                again[c, row] += chances[x] * arrays[c, free[row] ^ 1 << i, at]


@kernel
def _play(thrown, gains, values, low, step, adds, start, scores, streams):
    """Play games; start : the first points; values : (2**slots, points from `low`); scores : (games,), the result."""
    for game in range(len(streams)):
        free, points = (1 << len(gains)) - 1, start
        while free:
            x = throw(thrown, 0, streams, game)
            _, i = _best(gains, values, low, step, adds, free, points, x)
            scores[game] += gains[i, x]
            points += step * gains[i, x]
            free ^= 1 << i
