"""A duel whose turns are single throws, and its policies as plays. Each throw is a line in the value of scoring
nothing, with the slope P(nothing) < 1, so the solution is unique; with wipes it is unique too, because under any play
one player scores target / 2 times in a row with positive probability, which ends the match.

Throughout, q : (D, largest gain + 1), P(gain) by throw, in units; q[:, 0] is P(nothing), less than one.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.solvers.turns.duel import Line, Turns, solve_pairs
from dicebase.vocabulary import TIE


def gain_probabilities(gains: Sequence[Mapping[int, int]]) -> np.ndarray:
    """Return q for throws with these gains, {units: weight}; a throw of nothing gains 0."""
    q = np.zeros((len(gains), max(map(max, gains)) + 1))
    for row, weights in zip(q, gains, strict=True):
        total = sum(weights.values())
        for gain, weight in weights.items():
            row[gain] = weight / total
    return q


def solve_duel_of_throws(q: np.ndarray, T: int, wipes: bool) -> np.ndarray:
    """Return the mover's P(win), (T, T), by own total and opponent's, in units; T is the target."""
    return solve_pairs(_turns(q), T, wipes)


def _turns(q: np.ndarray) -> Turns:
    nothing = q[:, 0]

    def turns(V: np.ndarray, me: np.ndarray, opponent: np.ndarray, wiped: np.ndarray | None) -> Line:
        after = np.minimum(me[:, np.newaxis] + np.arange(1, q.shape[1]), len(V) - 1)
        # The order of summation of `@` depends on the number of threads.
        scores = np.einsum("ng,dg->nd", 1.0 - V[opponent[:, np.newaxis], after], q[:, 1:])

        def line(bust: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            lost = bust if wiped is None else 1.0 - wiped[opponent[which]]
            values = scores[which] + np.outer(lost, nothing)
            best = values.argmax(axis=1)
            return values[np.arange(len(which)), best], nothing[best] * (wiped is None)

        return line

    return turns


def throw_values(q: np.ndarray, values: np.ndarray, wipes: bool) -> np.ndarray:
    """Return the mover's P(win) by (throw, own total, opponent's total), (D, T, T); `values`, by (opponent's total,
    mover's), are the values of the opponent's turns."""
    T, reach = len(values), q.shape[1]
    # The mover's P(win) by (opponent's total, own total) after the throw.
    later = np.hstack([1.0 - values, np.ones((T, reach))])
    found = np.empty((len(q), T, T))
    for a in range(T):
        gained = later[:, a : a + reach].copy()
        if wipes:
            gained[:, 0] = later[:, 0]
        found[:, a] = np.einsum("dg,bg->db", q, gained)
    return found


def best_throws(values: np.ndarray, tie: float = TIE) -> np.ndarray:
    """Return the mix that takes the first throw within `tie` of the best, (T, T, D); `values` is (D, T, T)."""
    first = (values >= values.max(axis=0) - tie).argmax(axis=0)
    return np.eye(len(values))[first]


def throw_play(q: np.ndarray, T: int, wipes: bool, mix: np.ndarray) -> Play:
    """Return how turns of a policy end; mix : (T, T or 1, D), P(throw) by own total and opponent's."""
    chances = mix @ q
    ends = np.zeros((*mix.shape[:2], T + 1))
    for a in range(T):
        below = min(q.shape[1], T - a)  # the first gain that reaches the target
        ends[a, :, a + 1 : a + below] = chances[a, :, 1:below]
        ends[a, :, T] = chances[a, :, below:].sum(axis=1)
    nothing = chances[:, :, 0]
    return Play(ends, *((np.zeros_like(nothing), nothing) if wipes else (nothing, np.zeros_like(nothing))))
