"""How turns end under the best play: what is banked how often, and how long a duel lasts."""

from collections.abc import Iterator

import numpy as np
from numba import njit

from dicebase.solve.turns.compiled import CompiledTurn
from dicebase.solve.turns.duel import duel_turns
from dicebase.solve.turns.plays import endings
from dicebase.vocabulary import TIE
from dicebase.vocabulary.progress import Progress

SWEEPS = 10_000


def turn_ends(turn: CompiledTurn, values: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(ends, busts, wipes) of the turns from one total of the mover after the other, in units from 0.

    ends : (T, T + 1) probability of each of the mover's totals after a turn that banks, by the opponent's total.
    busts, wipes : (T,) probability that the turn is lost, and that the bank is lost with it.
    values : (T, T) as from `solve_duel`. Both players follow them, as `endings` does.
    """
    size = len(values)
    for a in range(size):
        ends, busts, wipes = endings(turn, *duel_turns(turn, values, a), sense=1, tie=TIE)
        yield np.hstack([np.zeros((size, a)), ends]), busts, wipes


def duel_outcomes(
    turn: CompiledTurn, target: int, values: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(turns, losses, points), each of shape (T, T) by units banked by the mover and by the opponent.

    turns : expected number of turns of the rest of the match, this one included.
    losses : probability that this turn is lost, and where there are wipes the bank with it.
    points : expected points that this turn banks; those that reach the target count, and not more.
    target : in points; values : as for `turn_ends`.
    """
    size = len(values)
    ends = np.zeros((size, size, size + 1))  # by (mover, opponent, total after the turn)
    busts, wipes, points = np.zeros((3, size, size))
    after = np.minimum(turn.unit * np.arange(size + 1), target)
    for a, (ends[a], busts[a], wipes[a]) in enumerate(turn_ends(turn, values)):
        points[a] = ends[a, :, a:] @ (after[a:] - after[a])
        progress(a + 1, size)
    turns = np.zeros((size, size + 1))  # none at the target
    for _ in range(SWEEPS if turn.wipes else 1):
        before = turns[:, 0].copy()
        _turns(ends, busts, wipes, before, turns)
        if np.abs(turns[:, 0] - before).max() <= 1e-14 * turns.max():
            break
    return turns[:, :size], busts + wipes, points


@njit(cache=True, nogil=True)
def _turns(ends, busts, wipes, wiped, turns):
    """One sweep over the pairs by falling sum; a pair is two linear equations."""
    size = len(ends)
    for total in range(2 * size - 2, -1, -1):
        for b in range(max(0, total - size + 1), total // 2 + 1):
            a = total - b
            x = 1.0 + wipes[a, b] * wiped[b]
            y = 1.0 + wipes[b, a] * wiped[a]
            for t in range(a + 1, size):
                x += ends[a, b, t] * turns[b, t]
            for t in range(b + 1, size):
                y += ends[b, a, t] * turns[a, t]
            p, q = busts[a, b], busts[b, a]
            turns[a, b] = (x + p * y) / (1.0 - p * q)
            turns[b, a] = y + q * turns[a, b]
