"""The sets of free slots in doubles: for scorecards too large for the integers of solve/subsets.py.

    M[A] = sum over rolls x of P(x) * max over slots i in A of ( gain(i, x) + M[A without i] )

(equation (1) of Böcker 2015, with A the free slots). One array holds M by bit mask. The sets without slot b + 1 or any
above it come before those with it, so the array is filled in blocks that double.
"""

from collections.abc import Iterator

import numpy as np
from numba import njit


def subset_values(probabilities: np.ndarray, gains: np.ndarray, values: np.ndarray) -> Iterator[int]:
    """Fill values (2**slots,) block by block; yields how many sets are done after each.

    probabilities : (rolls,). gains : (slots, rolls).
    """
    values[0] = 0.0
    for slot in range(len(gains)):
        _fill(probabilities, gains, values, 1 << slot, 2 << slot)
        yield 2 << slot


@njit(cache=True)
def _fill(probabilities, gains, values, start, stop):
    slots, rolls = gains.shape
    members = np.empty(slots, dtype=np.int64)
    rest = np.empty(slots)
    for free in range(start, stop):
        size = 0
        for i in range(slots):
            if free >> i & 1:
                members[size] = i
                rest[size] = values[free ^ (1 << i)]
                size += 1
        mean = 0.0
        for x in range(rolls):
            top = gains[members[0], x] + rest[0]
            for k in range(1, size):
                top = max(top, gains[members[k], x] + rest[k])
            mean += probabilities[x] * top
        values[free] = mean
