"""Value iteration shared by peers; each peer supplies its own Bellman operator or matrix game solver."""

from collections.abc import Callable

import numpy as np
from problems import Rounds

CHANGE = 1e-12  # iteration ends when no value changes by more than this
ROUNDS = 200  # largest number of iterations in one state of Hog, because an inexact solver may never converge


def until_still(operator: Callable[[np.ndarray], np.ndarray], states: int) -> np.ndarray:
    """Iterate an operator from zero until the values converge."""
    V = np.zeros(states)
    while True:
        after = operator(V)
        change = np.abs(after - V).max()
        V = after
        if change <= CHANGE:
            return V


def by_states(rounds: Rounds, value: Callable[[np.ndarray], float]) -> np.ndarray:
    """Solve Hog state by state, in decreasing order of the sum of points, iterating each state until it converges.

    Only a round in which neither player gains returns to the same state. Matrix games with a pure saddle point are
    solved without calling `value`.
    """
    q, target = rounds
    V = outside(rounds)
    stay = np.outer(q[:, 0], q[:, 0])
    for total in range(2 * target - 2, 0, -1):
        for a in range(total // 2 + 1, min(total, target - 1) + 1):
            b = total - a
            M = payoffs(q, V, a, b)
            v = V[a + 1, b + 1]
            for _ in range(ROUNDS):
                game = M + v * stay
                low, high = game.min(axis=1).max(), game.max(axis=0).min()
                before, v = v, low if low == high else value(game)
                if abs(v - before) <= CHANGE:
                    break
            V[a, b], V[b, a] = v, -v
    return V[:target, :target]


def outside(rounds: Rounds) -> np.ndarray:
    """Return initial values by both players' points: the result if a player has reached the target, otherwise zero."""
    q, target = rounds
    points = np.arange(target + q.shape[1])
    V = np.sign(np.subtract.outer(points, points)).astype(float)
    V[:target, :target] = 0.0
    return V


def payoffs(q: np.ndarray, V: np.ndarray, a: int, b: int) -> np.ndarray:
    """Return the payoffs of each pair of throws, without the value of returning to the same state."""
    reach = q.shape[1]
    ahead = V[a : a + reach, b : b + reach].copy()
    ahead[0, 0] = 0.0
    return q @ ahead @ q.T
