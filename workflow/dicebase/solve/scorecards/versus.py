"""The best response of one who rolls alone, over the sets of free slots and the points scored, in doubles.

    V[A, s] = sum over rolls x of P(x) * max over slots i in A of V[A without i, s + gain(i, x)],   V[empty, s] = payoff

Every number is a sum of non-negative terms: it is wrong by a rounding for each term of each round, at the most. Points
are counted from the least that the filled slots can score, so that no index is negative.
"""

import numpy as np
from numba import njit

from dicebase.solve.scorecards.policies import most


def respond(
    probabilities: np.ndarray, shifts: np.ndarray, choice: np.ndarray, payoff: np.ndarray, tie: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(V, U, T), each of shape (2**slots, points + 1), by (bit mask of free slots, points above the least).

    shifts : (slots, rolls), what a slot scores above its least. choice : (2**slots, rolls), the slot index that a given
    strategy picks; U is what that strategy earns. payoff, tie : (points + 1,), of a final score; T is the mean of tie
    where V is earned, the lowest slot being taken of equal ones.
    """
    return _kernel(probabilities, shifts, choice, payoff, tie, most(shifts))


@njit(cache=True)
def _kernel(probabilities, shifts, choice, payoff, tie, scored):
    slots, rolls = shifts.shape
    best = np.zeros((1 << slots, len(payoff)))
    fixed, ties = np.zeros_like(best), np.zeros_like(best)
    best[0], fixed[0], ties[0] = payoff, payoff, tie
    for free in range(1, 1 << slots):
        for s in range(scored[free] + 1):
            total = total_fixed = total_tie = 0.0
            for x in range(rolls):
                top, tied = -1.0, 0.0
                for i in range(slots):
                    if free >> i & 1:
                        value = best[free ^ (1 << i), s + shifts[i, x]]
                        if value > top:
                            top, tied = value, ties[free ^ (1 << i), s + shifts[i, x]]
                i = choice[free, x]
                total += probabilities[x] * top
                total_tie += probabilities[x] * tied
                total_fixed += probabilities[x] * fixed[free ^ (1 << i), s + shifts[i, x]]
            best[free, s], fixed[free, s], ties[free, s] = total, total_fixed, total_tie
    return best, fixed, ties
