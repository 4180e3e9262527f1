"""Simultaneous throws: the stochastic game of Tijms & van der Wal (section 4), solved state by state, in doubles.

A state has the value v for which the matrix game M - v W of docs/why/solvers.md (Single throws) has the value 0. A mix
x guarantees min over l of (x'M)_l / (x'W)_l, and y concedes at most max over k of (My)_k / (Wy)_k, which bracket v.
From an optimal pair (x, y) of M - v W, Newton's step is v' = x'My / x'Wy, exact once (x, y) stays optimal. Pure saddle
points of M / W need no linear program; otherwise QuantEcon's simplex method `minmax` solves the matrix game.

If a throw of nothing loses all points (wipes), a sweep from large totals to small gives all states from V(0, .): an
ordinary matrix game (W = 1) each, with the value 0 at (0, 0) by symmetry. Sweeps converge geometrically to the only
fixed point, because under any play one player scores target / 2 times in a row, which ends the match, with probability
at least c > 0.
"""

from typing import NamedTuple

import numpy as np
from quantecon.optimize.linprog_simplex import PivOptions
from quantecon.optimize.minmax import minmax

from dicebase.vocabulary.kernels import inner, kernel
from dicebase.vocabulary.progress import reporter

# Some actions are within 1e-7 of the best, and the library's default tolerances would call them optimal.
TOLERANCES = PivOptions(fea_tol=1e-14, tol_piv=1e-12, tol_ratio_diff=1e-15)
ROUNDS = 60  # Newton steps; three to five are usual
SWEEPS = 10_000


class Stage(NamedTuple):
    """The solution by (row player's points, column player's points), each below the target G."""

    value: np.ndarray  # (G, G) P(row wins) - P(row loses)
    mix: np.ndarray  # (G, G, D) the row player's optimal mix; the column player's mix at (a, b) is mix[b, a]
    q: np.ndarray  # (G, G, D) the row player's q-values against the column player's optimal mix


def solve_simultaneous(q: np.ndarray, target: int, wipes: bool) -> Stage:
    """Solve the game at all pairs of totals below the target.

    q : (throws, largest gain + 1), probabilities; q[:, 0] is P(nothing), less than one. Gains and target are in units.
    wipes : whether a throw of nothing loses all points. Raises ArithmeticError if sweeps do not converge.
    """
    (D, reach), report = q.shape, reporter("total")
    size = target + reach
    by_gain = q.T.copy()
    scores = q[:, 1:].cumsum(axis=1)[:, -1]  # 1 - q_0 q_0' would cancel if scores are rare
    leaves = np.ones((D, D)) if wipes else scores[:, None] + np.outer(q[:, 0], scores)
    values = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    # By (a, b, opponent's throw): the expectation of V(a, b + gain).
    expected = np.zeros((size, size, by_gain.shape[1]))
    mix, worth = np.zeros((target, target, D)), np.zeros((target, target, D))
    values[:target, :target] = 0.0
    if wipes:
        _extend(by_gain, 0, wipes, values, expected)
    for sweep in range(SWEEPS if wipes else 1):
        before = values[:target, 0].copy()
        for rows in [(size - 1, 0)] if wipes else [(a, a) for a in range(size - 1, -1, -1)]:
            _solve_rows(q, leaves, by_gain, target, rows, wipes, values, expected, mix, worth)
            report(*((sweep + 1, 0) if wipes else (size - rows[0], size)))
        change = np.abs(values[:target, 0] - before).max()
        if not wipes or change <= 1e-15:  # such changes are rounding
            return Stage(values[:target, :target].copy(), mix, worth)
    raise ArithmeticError(f"values still change by {change} after {SWEEPS} sweeps")


@kernel(_nrt=True)
def _solve_rows(q, leaves, by_gain, target, rows, wipes, values, expected, mix, worth):
    """Solve the states whose leader has rows[0] to rows[1] points, in decreasing order, from the solved rows above;
    with wipes V(0, .) comes from the previous sweep.

    leaves : (D, D), W. by_gain : (gains, throws), P(gain). values : V, which also has the results beyond the target.
    expected : by (a, b, opponent's throw), the expectation of V(a, b + gain). mix, worth : (target, target, D), filled
    in with the mixes and q-values.
    """
    own = np.empty(by_gain.shape[1])
    for a in range(rows[0], rows[1] - 1, -1):
        for b in range(a if a < target else -1, -1, -1):
            nothing = expected[0, b] if wipes else own
            if not wipes:
                _mean(by_gain, values, a, b, 0.0, nothing)
            _enter(_matrix(q, nothing, expected, a, b), leaves, a, b, values, mix, worth)
        _extend(by_gain, a, wipes, values, expected)


@kernel(_nrt=True)
def _extend(by_gain, a, wipes, values, expected):
    """Set `expected` for row a: the expectation of V(a, b + gain) for every b; with wipes gain 0 leads to V(a, 0)."""
    for b in range(values.shape[0]):
        _mean(by_gain, values, a, b, values[a, 0 if wipes else b], expected[a, b])


@inner(_nrt=True)
def _enter(M, W, a, b, values, mix, worth):
    """Solve a state for both players; with equal totals the game is symmetric, and so are the mixes."""
    v, x, y = solve_state(M, W)
    if a == b:
        v = 0.0
        y = x.copy()
    values[b, a] = -v
    values[a, b] = v
    stay = 1.0 - W
    gives, stays, takes, rests = M @ y, stay @ y, x @ M, x @ stay
    for k in range(len(x)):
        mix[a, b, k], mix[b, a, k] = x[k], y[k]
        worth[a, b, k] = gives[k] + v * stays[k]
        worth[b, a, k] = -(takes[k] + v * rests[k])


@inner(_nrt=True)
def _mean(by_gain, values, a, b, nothing, means):
    """Set `means` to the expectation of V(a, b + gain) by the opponent's throw; `nothing` is V after a gain of 0."""
    for other in range(len(means)):
        means[other] = by_gain[0, other] * nothing
    for gain in range(1, min(len(by_gain), values.shape[0] - b)):
        for other in range(len(means)):
            means[other] += by_gain[gain, other] * values[a, b + gain]


@kernel(_nrt=True)
def _matrix(q, nothing, expected, a, b):
    """Return M, (D, D), of a state with solved successors; `nothing` is the value of gaining 0, by opponent's throw."""
    M = np.outer(q[:, 0], nothing)
    for k in range(len(q)):
        for gain in range(1, q.shape[1]):
            for other in range(M.shape[1]):
                M[k, other] += q[k, gain] * expected[a + gain, b, other]
    return M


@kernel(_nrt=True)
def solve_state(M, W):
    """Return (v, x, y) with max over x of min over y of x'(M - v W)y = 0."""
    x, y = np.zeros(M.shape[0]), np.zeros(M.shape[1])
    rows, columns = np.full(len(x), np.inf), np.full(len(y), -np.inf)
    for k in range(len(x)):
        for other in range(len(y)):
            ratio = M[k, other] / W[k, other]
            rows[k], columns[other] = min(rows[k], ratio), max(columns[other], ratio)
    k, other = rows.argmax(), columns.argmin()
    low, high = rows[k], columns[other]
    if low >= high:
        x[k], y[other] = 1.0, 1.0
        return low, x, y
    v = 0.5 * (low + high)
    for _ in range(ROUNDS):
        _, x, y = minmax(M - v * W, 10_000, TOLERANCES)
        gives, leaves, takes, goes = x @ M, x @ W, M @ y, W @ y
        # The value that each mix guarantees.
        low = max(low, (gives / leaves).min())
        high = min(high, (takes / goes).max())
        step = min(max((gives @ y) / (leaves @ y), low), high)
        if step == v or high - low <= 4e-16:
            return step, x, y
        v = step
    return v, x, y
