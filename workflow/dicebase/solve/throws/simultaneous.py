"""Both choose at once: the stochastic game of Tijms & van der Wal (section 4), state by state, in doubles.

A state (a, b) is worth the v at which the matrix game M - v W has the value 0. Here M[k, l] sums q_i^(k) q_j^(l) V over
all that leaves the state, and W[k, l] is the probability of leaving it, 1 where a throw of nothing goes elsewhere. The
value f(v) of M - v W falls strictly, by at least min W and at most max W for one of v, so v is unique and each
evaluation brackets it: x guarantees min over l of (x'M)_l / (x'W)_l, and y no more than max over k of (My)_k / (Wy)_k.
Newton's step from an optimal pair (x, y) of M - v W is v' = x'My / x'Wy, taken inside the bracket: it is exact as soon
as (x, y) stays optimal.

The mixes of a pure saddle of M / W need no linear program. Elsewhere QuantEcon's compiled simplex method `minmax`
solves the matrix game.

Where a throw of nothing loses all points (wipes) totals can fall, and (a, b) leads to (0, .) and (., 0). All states
follow from V(0, .) by one sweep from large totals to small, each an ordinary matrix game (W = 1, and (0, 0) is worth 0
by symmetry); the sweep is repeated on its own result. Whatever is played, some player scores in target / 2 rounds on
end with a probability of at least c > 0, which ends the match: so the operator of that many rounds contracts by
1 - c, and sweeps, which look further ahead than a round, converge geometrically to its only fixed point. The
certificate bounds what is left.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit
from quantecon.optimize.linprog_simplex import PivOptions
from quantecon.optimize.minmax import minmax

# Some actions are worse than the best by no more than 1e-7: the library's default tolerances take them for optimal.
TOLERANCES = PivOptions(fea_tol=1e-14, tol_piv=1e-12, tol_ratio_diff=1e-15)
ROUNDS = 60  # Newton needs three to five
SWEEPS = 10_000


class Stage(NamedTuple):
    """By (points of the row player, points of the other), each below the target."""

    value: np.ndarray  # (G, G) P(row wins) - P(row loses)
    mix: np.ndarray  # (G, G, D) the row player's optimal probabilities; the other's in (a, b) are those in (b, a)
    q: np.ndarray  # (G, G, D) value to the row player of each of its actions against the other's optimal mix


def solve_simultaneous(q: np.ndarray, target: int, wipes: bool, progress: Callable[[int, int], None]) -> Stage:
    """Solve the game with every total below the target.

    q : (throws, largest gain + 1) probabilities, q[:, 0] of nothing, less than one. Gains and target are in units.
    wipes : whether a throw of nothing loses all points of the thrower. Raises ArithmeticError if sweeps do not come
    to rest.
    """
    D, reach = q.shape
    size = target + reach
    values = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    expected = np.zeros((D, size, size))  # by (throw of the other, a, b): the mean of V(a, b + gain)
    mix, worth = np.zeros((target, target, D)), np.zeros((target, target, D))
    if not wipes:
        for a in range(size - 1, -1, -1):
            _solve_row(q, target, a, values, expected, mix, worth)
            progress(size - a, size)
        return Stage(values[:target, :target].copy(), mix, worth)
    values[:target, :target] = 0.0
    for sweep in range(SWEEPS):
        before = values[:target, 0].copy()
        _sweep(q, target, values, expected, mix, worth)
        progress(sweep + 1, 0)
        if (change := np.abs(values[:target, 0] - before).max()) <= 1e-15:  # the rounding of one sweep
            return Stage(values[:target, :target].copy(), mix, worth)
    raise ArithmeticError(f"a change of {change} is left after {SWEEPS} sweeps")


@njit(cache=True, nogil=True)
def _solve_row(q, target, a, values, expected, mix, worth):
    """All states of two players of whom the one that leads has `a` points; later rows are solved."""
    D, size = q.shape[0], values.shape[0]
    if a < target:
        for b in range(a, -1, -1):
            M, W = _matrices(q, a, b, values, expected)
            _enter(M, W, a, b, values, mix, worth)
            for other in range(D):
                _extend(q, other, a, b, values, expected)
    for b in range(size):
        if a >= target or b > a:
            for other in range(D):
                _extend(q, other, a, b, values, expected)


@njit(cache=True, nogil=True)
def _enter(M, W, a, b, values, mix, worth):
    """Solve a state for both players: with equal totals the game is symmetric, and so are the mixes."""
    v, x, y = solve_state(M, W)
    if a == b:
        v = 0.0
        y = x.copy()
    values[b, a] = -v
    values[a, b] = v
    mix[a, b], mix[b, a] = x, y
    stay = 1.0 - W
    worth[a, b] = M @ y + v * (stay @ y)
    worth[b, a] = -(x @ M + v * (x @ stay))


@njit(cache=True, nogil=True)
def _extend(q, other, a, b, values, expected):
    """The mean of V(a, b + gain) over a throw of the other."""
    total = 0.0
    for j in range(min(q.shape[1], values.shape[0] - b)):
        total += q[other, j] * values[a, b + j]
    expected[other, a, b] = total


@njit(cache=True, nogil=True)
def _matrices(q, a, b, values, expected):
    """M and W of a state; every state that a gain leads to is solved."""
    D, reach = q.shape
    M, W = np.empty((D, D)), np.empty((D, D))
    for other in range(D):
        here = 0.0
        for j in range(1, reach):
            here += q[other, j] * values[a, b + j]
        for k in range(D):
            total = q[k, 0] * here
            for i in range(1, reach):
                total += q[k, i] * expected[other, a + i, b]
            M[k, other] = total
            W[k, other] = 1.0 - q[k, 0] * q[other, 0]
    return M, W


@njit(cache=True, nogil=True)
def _sweep(q, target, values, expected, mix, worth):
    """All states once, in the game in which a throw of nothing loses all points: V(0, .) is that of the last sweep."""
    D, reach = q.shape
    size = values.shape[0]
    for other in range(D):
        for b in range(size):
            _extend_wipes(q, other, 0, b, values, expected)
    for a in range(size - 1, -1, -1):
        if a < target:
            for b in range(a, -1, -1):
                M, W = np.empty((D, D)), np.ones((D, D))
                for other in range(D):
                    for k in range(D):
                        total = q[k, 0] * expected[other, 0, b]
                        for i in range(1, reach):
                            total += q[k, i] * expected[other, a + i, b]
                        M[k, other] = total
                _enter(M, W, a, b, values, mix, worth)
        if a > 0:
            for other in range(D):
                for b in range(size):
                    _extend_wipes(q, other, a, b, values, expected)


@njit(cache=True, nogil=True)
def _extend_wipes(q, other, a, b, values, expected):
    """The mean of V(a, b + gain), or V(a, 0) for no gain, over a throw of the other."""
    total = q[other, 0] * values[a, 0]
    for j in range(1, min(q.shape[1], values.shape[0] - b)):
        total += q[other, j] * values[a, b + j]
    expected[other, a, b] = total


@njit(cache=True, nogil=True)
def solve_state(M, W):
    """(v, x, y) with max over x of min over y of x'(M - v W)y = 0."""
    ratio = M / W
    rows, columns = np.empty(M.shape[0]), np.empty(M.shape[1])
    for k in range(M.shape[0]):
        rows[k] = ratio[k].min()
    for other in range(M.shape[1]):
        columns[other] = ratio[:, other].max()
    k, other = rows.argmax(), columns.argmin()
    x, y = np.zeros(M.shape[0]), np.zeros(M.shape[1])
    if rows[k] >= columns[other]:
        x[k], y[other] = 1.0, 1.0
        return ratio[k, other], x, y
    low, high = rows[k], columns[other]
    v = 0.5 * (low + high)
    for _ in range(ROUNDS):
        _, x, y = minmax(M - v * W, 10_000, TOLERANCES)
        # What each mix alone guarantees.
        low = max(low, ((x @ M) / (x @ W)).min())
        high = min(high, ((M @ y) / (W @ y)).max())
        step = min(max((x @ M @ y) / (x @ W @ y), low), high)
        if step == v or high - low <= 4e-16:
            return step, x, y
        v = step
    return v, x, y
