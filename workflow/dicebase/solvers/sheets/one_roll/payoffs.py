"""Optimal play for a payoff of the final score (docs/why/solvers.md, Scorecards): backward induction over sets of free
slots and points scored, in doubles.

All terms are nonnegative, so the relative error is at most one rounding per term and round. Points above the greatest
score count as that score.
"""

import numpy as np

from dicebase.vocabulary.kernels import kernel


@kernel(_nrt=True)
def maximise(
    probabilities: np.ndarray, shifts: np.ndarray, choice: np.ndarray, payoff: np.ndarray, tie: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (V, U, T), each (2**slots, scores), by (bit mask of free slots, points above the least possible).

    V is the maximal expected payoff, U the expected payoff of the strategy `choice`, and T the expectation of `tie`
    under the policy that earns V and takes the lowest of equally good slots.

    probabilities : (rolls,). shifts : (slots, rolls), points of a slot above its least. choice : (2**slots, rolls), the
    slot that the strategy picks. payoff, tie : (scores,), by final score.
    """
    slots, rolls = shifts.shape
    scores = len(payoff)
    best, fixed, ties = np.zeros((3, 1 << slots, scores))
    for s in range(scores):
        best[0, s], fixed[0, s], ties[0, s] = payoff[s], payoff[s], tie[s]
    for free in range(1, 1 << slots):
        for s in range(scores):
            for x in range(rolls):
                top, tied = -1.0, 0.0
                for i in range(slots):
                    if free >> i & 1:
                        after, at = free ^ (1 << i), min(s + shifts[i, x], scores - 1)
                        if best[after, at] > top:
                            top, tied = best[after, at], ties[after, at]
                        if i == choice[free, x]:
                            fixed[free, s] += probabilities[x] * fixed[after, at]
                best[free, s] += probabilities[x] * top
                ties[free, s] += probabilities[x] * tied
    return best, fixed, ties
