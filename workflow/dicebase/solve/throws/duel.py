"""Alternate single throws: each pair of totals is two unknowns, each a maximum of lines, solved exactly by Newton.

With x the mover's probability of winning at (a, b), and y at (b, a) where the players have changed places,

    x = F(1 - y) = max over d of A_d + q_d (1 - y),     y = G(1 - x) = max over d of B_d + q_d (1 - x)

where q_d is the probability that throw d scores nothing and A_d, B_d are what it is worth otherwise, by pairs with a
larger sum. F and G are convex, piecewise linear, with slopes from the least to the largest q_d, all below one: so
x -> F(1 - G(1 - x)) is a contraction and the solution is unique. For H(x) = x - F(1 - G(1 - x)), which rises with a
slope between 1 - max q_d^2 and 1, Newton's step solves the two lines that are largest at x. There are finitely many
pairs of lines; the step stays in a bracket of the root, and where it does not shrink the bracket is halved until one
pair of lines is left, so the iteration is finite.

Where a throw of nothing loses all points (wipes) the totals can fall and pairs do not decouple: (a, b) leads to the
opponent's turn at (b, 0). Then all probabilities follow from those with no points of one's own, V(0, .), by one sweep
from large sums to small; the sweep is repeated on its own result. From every state and whatever is played, the match
ends within target / 2 rounds with a probability of at least c > 0 (the same player scores each time), so sweeps
contract geometrically; the certificate bounds what is left. A loss at (0, 0) leads to (0, 0) itself: where nearly every
throw is lost that alone would make sweeps slow, so its equation is solved by hand.
"""

import numpy as np
from numba import njit

from dicebase.vocabulary.progress import Progress

ROUNDS = 200
SWEEPS = 10_000


def solve_alternate(q: np.ndarray, target: int, wipes: bool, progress: Progress) -> np.ndarray:
    """P(mover wins) by (throw, mover's points, opponent's points), shape (D, G, G), if that throw comes first.

    q : (D, largest gain + 1) probabilities by throw and gain, q[:, 0] of nothing, less than one. Points, gains and
    target are in units. Raises ArithmeticError if sweeps do not come to rest.
    """
    V = np.zeros((target, target))
    worth = np.zeros((len(q), target, target))
    if not wipes:
        _sweep(q, V, worth, False)
        return worth
    for sweep in range(SWEEPS):
        change = _sweep(q, V, worth, True)
        progress(sweep + 1, 0)
        if change <= 1e-15:  # the rounding of one sweep
            return worth
    raise ArithmeticError(f"a change of {change} is left after {SWEEPS} sweeps")


@njit(cache=True, nogil=True)
def _sweep(q, V, worth, wipes):
    """All pairs once, by falling sum; what a wipe leads to is that of the last sweep. The largest change of V(., 0)
    and V(0, .) is returned."""
    target, change = len(V), 0.0
    for total in range(2 * target - 2, -1, -1):
        for b in range(max(0, total - target + 1), total // 2 + 1):
            a = total - b
            A, B = _later(q, a, b, V), _later(q, b, a, V)
            if wipes:
                # Nothing scored: the opponent moves at (b, 0), known from the sweep before.
                ours, theirs = V[b, 0], V[a, 0]
                if total == 0:
                    # Or in this same state: x = max over d of A_d + q_d (1 - x), where each line falls.
                    ours = theirs = ((A + q[:, 0]) / (1.0 + q[:, 0])).max()
            else:
                theirs, ours = x, y = _pair(A, B, q[:, 0])
            worth[:, a, b] = A + q[:, 0] * (1.0 - ours)
            worth[:, b, a] = B + q[:, 0] * (1.0 - theirs)
            if wipes:
                x, y = worth[:, a, b].max(), worth[:, b, a].max()
            if b == 0:
                change = max(change, abs(x - V[a, b]), abs(y - V[b, a]))
            V[a, b], V[b, a] = x, y
    return change


@njit(cache=True, nogil=True)
def _later(q, a, b, V):
    """What each throw of the mover at (a, b) is worth by its scoring gains."""
    (D, reach), target = q.shape, len(V)
    worth = np.zeros(D)
    for d in range(D):
        for i in range(1, reach):
            worth[d] += q[d, i] * (1.0 - V[b, a + i] if a + i < target else 1.0)
    return worth


@njit(cache=True, nogil=True)
def _pair(A, B, q):
    """(x, y) with x = max(A + q (1 - y)) and y = max(B + q (1 - x))."""
    low, x, high = 0.0, 0.5, 1.0
    for _ in range(ROUNDS):
        other = (B + q * (1.0 - x)).argmax()
        y = B[other] + q[other] * (1.0 - x)
        k = (A + q * (1.0 - y)).argmax()
        if x < A[k] + q[k] * (1.0 - y):
            low = max(low, x)
        else:
            high = min(high, x)
        # x = A_k + q_k (1 - B_l - q_l (1 - x))
        step = (A[k] + q[k] * (1.0 - B[other] - q[other])) / (1.0 - q[k] * q[other])
        if step == x or high - low <= 1e-17:
            break
        x = step if low <= step <= high else 0.5 * (low + high)
    other = (B + q * (1.0 - x)).argmax()
    return x, B[other] + q[other] * (1.0 - x)
