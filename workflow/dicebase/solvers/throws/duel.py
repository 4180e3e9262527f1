"""A duel whose turns are single throws, and the policies of its players.

The value of a turn is the largest of some lines in the value of a throw of nothing, one line per throw; solvers/turns/
duel.py solves such duels. The slopes, the probabilities of scoring nothing, are below one, so the solution is unique.
With wipes, too: whatever is played, the same player scores in target / 2 rounds in a row with a positive probability,
which ends the match.

Throughout, q : (D, largest gain + 1) probabilities by throw and gain in units, q[:, 0] of nothing, less than one.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dicebase.solvers.plays import Play
from dicebase.solvers.turns.duel import Line, Turns, solve_pairs
from dicebase.vocabulary import TIE


def gain_probabilities(gains: Sequence[Mapping[int, int]], unit: int) -> np.ndarray:
    """q of throws that gain {points: weight}, 0 being a throw of nothing."""
    q = np.zeros((len(gains), max(max(g) for g in gains) // unit + 1))
    for row, weights in zip(q, gains, strict=True):
        total = sum(weights.values())
        for points, weight in weights.items():
            row[points // unit] = weight / total
    return q


def solve_duel_of_throws(q: np.ndarray, T: int, wipes: bool) -> np.ndarray:
    """The mover's probability to win, (T, T), by his total and the opponent's, in units; T is the target."""
    return solve_pairs(_turns(q), T, wipes)


def _turns(q: np.ndarray) -> Turns:
    nothing = q[:, 0]

    def turns(V: np.ndarray, me: np.ndarray, opponent: np.ndarray, wiped: np.ndarray | None) -> Line:
        after = np.minimum(me[:, np.newaxis] + np.arange(1, q.shape[1]), len(V) - 1)
        # Not by a product of matrices, whose sums depend on the number of threads.
        scores = np.einsum("ng,dg->nd", 1.0 - V[opponent[:, np.newaxis], after], q[:, 1:])

        def line(bust: np.ndarray, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            lost = bust if wiped is None else 1.0 - wiped[opponent[which]]
            values = scores[which] + np.outer(lost, nothing)
            best = values.argmax(axis=1)
            return values[np.arange(len(which)), best], nothing[best] * (wiped is None)

        return line

    return turns


def throw_values(q: np.ndarray, values: np.ndarray, wipes: bool) -> np.ndarray:
    """The mover's probability to win by (throw, his total, the opponent's), shape (D, T, T), if the opponent's turns
    have these values, by (his total, the mover's)."""
    T, reach = len(values), q.shape[1]
    # By (opponent, mover): what a total of the mover's is worth to him.
    later = np.hstack([1.0 - values, np.ones((T, reach))])
    found = np.empty((len(q), T, T))
    for a in range(T):
        gained = later[:, a : a + reach].copy()
        if wipes:
            gained[:, 0] = later[:, 0]
        found[:, a] = np.einsum("dg,bg->db", q, gained)
    return found


def best_throws(values: np.ndarray, tie: float = TIE) -> np.ndarray:
    """The mix of shape (T, T, D) that takes the first of the throws within `tie` of the best."""
    first = (values >= values.max(axis=0) - tie).argmax(axis=0)
    return np.eye(len(values))[first]


def throw_play(q: np.ndarray, T: int, wipes: bool, mix: np.ndarray) -> Play:
    """How the throws of a policy end; mix : (T, T or 1, D) how often it chooses each throw, by the mover's total and
    the opponent's."""
    chances = mix @ q
    ends = np.zeros((*mix.shape[:2], T + 1))
    for a in range(T):
        below = min(q.shape[1], T - a)  # the first gain that is enough
        ends[a, :, a + 1 : a + below] = chances[a, :, 1:below]
        ends[a, :, T] = chances[a, :, below:].sum(axis=1)
    nothing = chances[:, :, 0]
    return Play(ends, *((np.zeros_like(nothing), nothing) if wipes else (nothing, np.zeros_like(nothing))))
