"""The value of a plan of the hidden game against the best plan, and against an opponent who sees both scores."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from dicebase.solvers.throws.hidden_play import answer, play


def exploitability(gain: np.ndarray, probability: np.ndarray) -> float:
    """The most that any plan gains against this one, in the game with its horizon: P(win) - P(lose)."""
    gain = np.ascontiguousarray(gain, dtype=float)
    _, alive, beyond = play(gain, np.nan_to_num(probability))
    _, v = answer(gain, alive, beyond, probability.shape[1])
    return float(v[0, 0])


def against_seer(gain: np.ndarray, probability: np.ndarray) -> np.ndarray:
    """Payoff of a plan against an opponent who knows it and sees both scores, (T, G, G) by (t, own score, other's).

    probability : (T, G, D) as published.

    The opponent minimises, and the horizon is a draw. Entry [0, 0, 0] is the payoff of the game: for an optimal plan,
    minus the value of seeing both scores. Rows that the plan never reaches are NaN.
    """
    plan = np.nan_to_num(probability)
    (T, G, _), M = plan.shape, gain.shape[1]
    value = np.zeros((T + 1, G, G))
    mine = np.sign(np.subtract.outer(np.arange(G + M), np.arange(G + M))).astype(float)  # by totals after the throw
    for t in range(T - 1, -1, -1):
        mine[:G, :G] = value[t + 1]
        for a in range(G):
            mixed = plan[t, a] @ gain @ mine[a : a + M]
            value[t, a] = (sliding_window_view(mixed, M)[:G] @ gain.T).min(axis=1)
    value[:T][np.isnan(probability).all(axis=2)] = np.nan
    return value[:T]
