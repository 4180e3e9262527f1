"""The sets of free slots in doubles (docs/why/solvers.md, Scorecards): for cards too large for the integers of
subsets.py. One array holds M by bit mask."""

import numpy as np

from dicebase.vocabulary.kernels import kernel


@kernel(_nrt=True)
def subset_values(probabilities: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """M, of shape (2**slots,).

    probabilities : (rolls,). gains : (slots, rolls).
    """
    slots, rolls = gains.shape
    values, best = np.zeros(1 << slots), np.empty(rolls)
    for free in range(1, len(values)):
        best[:] = -np.inf
        for slot in range(slots):
            if free >> slot & 1:
                rest = values[free ^ (1 << slot)]
                for x in range(rolls):  # one vector: no roll waits for another
                    worth = gains[slot, x] + rest
                    best[x] = worth if worth > best[x] else best[x]
        for x in range(rolls):
            values[free] += probabilities[x] * best[x]
    return values
