"""The best play for a payoff of the final score (docs/why/solvers.md, Scorecards), over the sets of free slots and the
points scored, in doubles.

Every number is a sum of non-negative terms: it is wrong by a rounding for each term of each round, at the most. More
points than the greatest score are worth as much as that.
"""

import numpy as np

from dicebase.vocabulary.kernels import kernel


@kernel(_nrt=True)
def maximise(
    probabilities: np.ndarray, shifts: np.ndarray, choice: np.ndarray, payoff: np.ndarray, tie: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(V, U, T), each of shape (2**slots, scores), by (bit mask of free slots, points above the least).

    shifts : (slots, rolls), what a slot scores above its least. choice : (2**slots, rolls), the slot index that a given
    strategy picks; U is what that strategy earns. payoff, tie : (scores,), of a final score; T is the mean of tie
    where V is earned, the lowest slot being taken of equal ones.
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
