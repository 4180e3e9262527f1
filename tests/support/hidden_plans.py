"""What a plan of the hidden game is worth against the best of all plans, and against one who sees both scores."""

import numpy as np
from numba import njit

from dicebase.solve.throws.hidden_play import answer, play, spans


def exploitability(gain: np.ndarray, probability: np.ndarray) -> float:
    """The most that any plan gains against this one, in the game with its horizon: P(win) - P(lose)."""
    gain = np.ascontiguousarray(gain, dtype=float)
    _, alive, beyond = play(gain, spans(gain), np.nan_to_num(probability))
    _, v = answer(gain, spans(gain), alive, beyond, probability.shape[1])
    return float(v[0, 0])


def against_seer(gain: np.ndarray, probability: np.ndarray) -> np.ndarray:
    """(T, G, G) payoff of a plan against an opponent who knows it and sees both scores: by (t, own score, other's).

    probability : (T, G, D) as published. [0, 0, 0] is the payoff of the game, of an optimal plan minus what seeing is
    worth to the opponent, who minimises; the horizon draws. NaN in rows that the plan never reaches.
    """
    gain = np.ascontiguousarray(gain, dtype=float)
    value = _seen(gain, np.nan_to_num(probability))
    value[np.isnan(probability).all(axis=2)] = np.nan
    return value


@njit
def _seen(gain, plan):
    T, G, D = plan.shape
    M = gain.shape[1]
    value = np.zeros((T + 1, G, G))
    mine = np.empty((G + M, G + M))  # by totals (own, other) after the throw
    mixed = np.empty(G + M)
    for k in range(G + M):
        for other in range(G + M):
            mine[k, other] = np.sign(k - other)
    for t in range(T - 1, -1, -1):
        mine[:G, :G] = value[t + 1]
        for a in range(G):
            mixed[:] = 0.0
            for d in range(D):
                if plan[t, a, d] > 0.0:
                    for g in range(M):
                        mixed += plan[t, a, d] * gain[d, g] * mine[a + g]
            for b in range(G):
                value[t, a, b] = min([(gain[d] * mixed[b : b + M]).sum() for d in range(D)])
    return value[:T]
