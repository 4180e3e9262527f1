"""The sets of free slots in doubles: for scorecards too large for the integers of subsets.py.

    M[A] = sum over rolls x of P(x) * max over slots i in A of ( gain(i, x) + M[A without i] )

(equation (1) of Böcker 2015, with A the free slots). One array holds M by bit mask. The sets without slot b + 1 or any
above it come before those with it, so the array is filled in blocks that double.
"""

from collections.abc import Iterator

import numpy as np
from numba import njit

from dicebase.vocabulary.eights import LANES, in_blocks, load, store, where


def subset_values(probabilities: np.ndarray, gains: np.ndarray, values: np.ndarray) -> Iterator[int]:
    """Fill values (2**slots,) block by block; yields how many sets are done after each.

    probabilities : (rolls,). gains : (slots, rolls).
    """
    # Rolls go side by side; those that fill up the last block never fall.
    probabilities, gains = in_blocks(probabilities), in_blocks(gains)
    values[0] = 0.0
    for slot in range(len(gains)):
        _fill(probabilities, gains.ravel(), values, slot)
        yield 2 << slot


@njit(cache=True, error_model="numpy")
def _fill(probabilities, gains, values, last):
    """The sets whose last slot is `last`."""
    rolls = len(probabilities)
    places, rest = np.empty(last + 1, np.int64), np.empty(last + 1)
    products = np.empty(rolls)
    for free in range(1 << last, 2 << last):
        size = 0
        for slot in range(last + 1):
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
