"""Policies of single throws on the way to a target: what they throw, and what that comes to."""

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.vocabulary import TIE


def throw_play(q: np.ndarray, T: int, wipes: bool, mix: np.ndarray) -> Play:
    """What the throws of a policy come to.

    q : (D, largest gain + 1) probabilities by throw and gain, in units; q[:, 0] of nothing. T : target in units.
    wipes : whether a throw of nothing loses what was banked. mix : (T, T or 1, D) how often each throw is chosen, by
        the mover's and the opponent's total.
    """
    chances = mix @ q
    ends = np.zeros((*mix.shape[:2], T + 1))
    for a in range(T):
        below = min(q.shape[1], T - a)  # the first gain that is enough
        ends[a, :, a + 1 : a + below] = chances[a, :, 1:below]
        ends[a, :, T] = chances[a, :, below:].sum(axis=1)
    nothing = chances[:, :, 0]
    return Play(ends, *((np.zeros_like(nothing), nothing) if wipes else (nothing, np.zeros_like(nothing))))


def throws_worth(q: np.ndarray, values: np.ndarray, wipes: bool) -> np.ndarray:
    """The mover's probability to win by (throw, his total, the opponent's), shape (D, T, T), where the opponent's
    turns are worth `values` to him, by (his total, the mover's)."""
    T, reach = len(values), q.shape[1]
    # By (opponent, mover): what a total of the mover's is worth to him.
    later = np.hstack([1.0 - values, np.ones((T, reach))])
    worth = np.empty((len(q), T, T))
    for a in range(T):
        gained = later[:, a : a + reach].copy()
        if wipes:
            gained[:, 0] = later[:, 0]
        worth[:, a] = q @ gained.T
    return worth


def pure(worth: np.ndarray, tie: float = TIE) -> np.ndarray:
    """The mix of shape (T, T, D) that takes the first of the throws within `tie` of the best."""
    first = (worth >= worth.max(axis=0) - tie).argmax(axis=0)
    return np.eye(len(worth))[first]
