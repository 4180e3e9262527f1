"""Alternate single throws: each pair of totals is two unknowns, each a maximum of lines, one a throw, as in
solvers/turns/duel.py. Slopes, the chances to score nothing, are below one: the solution is unique.

Where a throw of nothing loses all points (wipes) pairs do not decouple: (a, b) leads to the opponent's turn at (b, 0).
From every state and whatever is played, the match ends within target / 2 rounds with a probability of at least c > 0
(the same player scores each time), so that there is one solution, and sweeps from large sums to small contract
geometrically.
"""

import numpy as np

from dicebase.solvers.turns.duel import Line, coupled, fixed_points


def solve_alternate(q: np.ndarray, target: int, wipes: bool) -> np.ndarray:
    """P(mover wins) by (throw, mover's points, opponent's points), shape (D, T, T), if that throw comes first.

    q : (D, largest gain + 1) probabilities by throw and gain, q[:, 0] of nothing, less than one. Points, gains and the
    target T are in units.
    """
    wiped = coupled(lambda u: _sweep(q, target, u).max(axis=0), target)[:, 0] if wipes else None
    return _sweep(q, target, wiped)


def _sweep(q: np.ndarray, T: int, wiped: np.ndarray | None) -> np.ndarray:
    """All pairs of totals in decreasing order of their sum, each solved once.

    wiped : (T,) the opponent's probability by his points after a wipe.
    """
    V, gains = np.zeros((T, T + q.shape[1])), np.arange(1, q.shape[1])
    worth = np.empty((len(q), T, T))
    for total in range(2 * T - 2, -1, -1):
        a = np.arange(-(-total // 2), min(total, T - 1) + 1)
        b = total - a
        # Not by a product of matrices, whose sums depend on the number of threads.
        A, B = (
            np.einsum("ng,dg->nd", 1.0 - V[other[:, np.newaxis], own[:, np.newaxis] + gains], q[:, 1:])
            for own, other in ((a, b), (b, a))
        )
        if wiped is None:
            theirs, ours = fixed_points(_lines(A, q[:, 0]), _lines(B, q[:, 0]), np.full(len(a), 0.5))
        else:
            ours, theirs = wiped[b], wiped[a]
        for own, other, scores, later in ((a, b, A, ours), (b, a, B, theirs)):
            worth[:, own, other] = (scores + np.outer(1.0 - later, q[:, 0])).T
            V[own, other] = worth[:, own, other].max(axis=0)
    return worth


def _lines(scores: np.ndarray, nothing: np.ndarray) -> Line:
    """The best throw's worth and slope, by what a throw of nothing is worth."""

    def line(z: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        worth = scores[which] + np.outer(z, nothing)
        best = worth.argmax(axis=1)
        return worth[np.arange(len(z)), best], nothing[best]

    return line
