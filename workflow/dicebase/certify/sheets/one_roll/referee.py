"""Fill scorecards by published values; arrays are by (free slots as a bit mask, points)."""

import math

import numpy as np

from dicebase.certify.play.chance import dice, throw
from dicebase.certify.published import Published
from dicebase.matches.sheets.scorecards import FollowedPlacements
from dicebase.vocabulary import Listing
from dicebase.vocabulary.kernels import kernel


def count_decisions(listing: Listing, published: Published) -> tuple[int | None, int | None]:
    """Return the number of states and actions that follow from rows of free slots; None if decisions do not follow."""
    if not isinstance(listing, FollowedPlacements):
        return None, None
    rolls, free = len(listing.rules.weights), published.keys[0]
    return rolls * int(np.count_nonzero(free)), rolls * int(np.bitwise_count(free).sum(dtype=np.int64))


def scores_by_values(
    listing: FollowedPlacements, published: Published, start: int, streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the final scores, (games,), and the number of placements considered, if each roll goes to the slot of the
    greatest published value, the lowest if equal. start : the points before the first roll. Advances the streams."""
    rules, scores = listing.rules, np.zeros(len(streams))
    points = published.keys[1] if listing.points else np.zeros(1, np.int64)
    low = 0 if listing.enough else int(points.min())
    values = np.zeros((1 << rules.slots, int(points.max()) - low + 1))
    values[:, 0] = listing.enough
    values[published.keys[0], points - low] = published.values
    thrown, gains = dice([rules.weights.values()]), np.array(rules.gains)
    _play(thrown, gains, values, low, listing.step, listing.gains, start, scores, streams)
    return scores, len(streams) * math.comb(rules.slots + 1, 2)


@kernel
def _play(thrown, gains, values, low, step, adds, start, scores, streams):
    """Play games; gains : (slots, rolls); values : (2**slots, points from `low`); start : the first points; scores :
    (games,), the result."""
    last = values.shape[1] - 1
    for game in range(len(streams)):
        free, points = (1 << len(gains)) - 1, start
        while free:
            x, most, best = throw(thrown, 0, streams, game), -np.inf, 0
            for i in range(len(gains)):
                if free >> i & 1:
                    at = min(max(points + step * gains[i, x] - low, 0), last)
                    value = values[free ^ 1 << i, at] + adds * gains[i, x]
                    if value > most:
                        most, best = value, i
            scores[game] += gains[best, x]
            points += step * gains[best, x]
            free ^= 1 << best
