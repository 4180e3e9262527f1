"""The sets of free slots in doubles (docs/why/solvers.md, Scorecards): for cards too large for the integers of
subsets.py. One array holds M by bit mask."""

import numpy as np

from dicebase.vocabulary.eights import LANES, in_blocks, load, store, where
from dicebase.vocabulary.kernels import kernel


def subset_values(probabilities: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """M, of shape (2**slots,).

    probabilities : (rolls,). gains : (slots, rolls).
    """
    values = np.zeros(1 << len(gains))
    # Rolls go side by side; those that fill up the last block never fall.
    probabilities, gains = in_blocks(probabilities), in_blocks(gains)
    _fill(probabilities, gains.ravel(), len(gains), values)
    return values


@kernel(_nrt=True, error_model="numpy")
def _fill(probabilities, gains, slots, values):
    rolls = len(probabilities)
    places, rest = np.empty(slots, np.int64), np.empty(slots)
    products = np.empty(rolls)
    for free in range(1, len(values)):
        size = 0
        for slot in range(slots):
            if free >> slot & 1:
                places[size], rest[size] = slot * rolls, values[free ^ (1 << slot)]
                size += 1
        for x in range(0, rolls, LANES):
            best = load(gains, places[0] + x) + rest[0]
            for k in range(1, size):
                worth = load(gains, places[k] + x) + rest[k]
                best = where(worth > best, worth, best)
            store(products, x, load(probabilities, x) * best)
        mean = 0.0
        for product in products:
            mean += product
        values[free] = mean
