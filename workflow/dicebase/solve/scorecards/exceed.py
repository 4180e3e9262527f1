"""The probability of at least so many points, over the sets of free slots and the points still needed, in doubles.

    V[A, s] = sum over rolls x of P(x) * max over slots i in A of V[A without i, s - gain(i, x)],   V[., s <= 0] = 1

Every number is a sum of non-negative terms: it is wrong by a rounding for each term of each round, at the most.
"""

import numpy as np
from numba import njit


def exceed(weights: np.ndarray, gains: np.ndarray, choice: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(V, U), each of shape (2**slots, most points + 1), by (bit mask of free slots, points needed).

    weights : (rolls,) integers. gains : (slots, rolls), not negative.
    choice : (2**slots, rolls), the slot index that a given strategy picks; U is what that strategy reaches.
    """
    return _kernel(weights.astype(float), float(weights.sum()), gains, choice, int(gains.max(axis=1).sum()))


@njit(cache=True)
def _kernel(weights, sum_of_weights, gains, choice, most):
    slots, rolls = gains.shape
    best, fixed = np.zeros((2, 1 << slots, most + 1))
    best[:, 0] = fixed[:, 0] = 1.0
    for free in range(1, 1 << slots):
        for needed in range(1, most + 1):
            total = total_fixed = 0.0
            for x in range(rolls):
                top = 0.0
                for i in range(slots):
                    if free >> i & 1:
                        top = max(top, best[free ^ (1 << i), max(0, needed - gains[i, x])])
                total += weights[x] * top
                i = choice[free, x]
                total_fixed += weights[x] * fixed[free ^ (1 << i), max(0, needed - gains[i, x])]
            if total == 0.0:
                break  # nor are more points ever reached
            best[free, needed], fixed[free, needed] = total / sum_of_weights, total_fixed / sum_of_weights
    return best, fixed
