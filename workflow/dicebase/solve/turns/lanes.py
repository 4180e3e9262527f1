"""The turn kernel for many turns that differ in their worths alone: the recursion of turn.py, maximised, in doubles.

Eight turns go side by side through the outcomes and options, one to a lane of the processor's vectors. No lane looks at
another: a result does not depend on what is solved beside it, to the last bit.

Reaching the target is worth 1, and nothing is worth more.
"""

import numpy as np
from numba import njit

from dicebase.solve.turns.compiled import BUST, WIPE, CompiledTurn

LANES = 8


def starts(
    turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(W, p_bust) of the first roll of n turns, each of shape (n,).

    bank : (at least the largest need, n) what banking t units is worth, at most 1, and 1 from `need` on.
    need : (n,) units missing to the target.
    bust, wipe : (n,) worth of losing the turn, and of losing the bank as well, at most 1.
    """
    roll, p_bust = _run(turn, bank, need, bust, wipe, 1, 1)
    return roll[:, 0, 0], p_bust[:, 0, 0]


def rolls(turn: CompiledTurn, bank: np.ndarray, need: np.ndarray, bust: np.ndarray, wipe: np.ndarray) -> np.ndarray:
    """W by (turn, turn total below the largest need, mode index) of n turns; arguments as for `starts`."""
    return _run(turn, bank, need, bust, wipe, int(need.max()), len(turn.modes))[0]


def _run(turn, bank, need, bust, wipe, totals, modes):
    arrays = (turn.row_start, turn.sum_of_weights, turn.weight, turn.kind, turn.option_start, turn.gain, turn.next_mode)
    roll, p_bust = np.empty((2, len(need), totals, modes))
    _kernel(turn.period, *arrays, len(turn.modes), bank, need, bust, wipe, roll, p_bust)
    return roll, p_bust


@njit(cache=True, nogil=True)
def _kernel(
    period, row_start, sums, weight, kind, option_start, gain, next_mode, modes, bank, need, bust, wipe, roll, p_bust
):
    count = need.shape[0]
    # Slot 0 of a total is what banking is worth, slot m + 1 is mode m: a forced end has the mode -1.
    width = modes + 1
    beyond = gain.max()
    for block in range((count + LANES - 1) // LANES):
        first = block * LANES
        size = min(LANES, count - first)
        totals = need[first : first + size].max()
        V = np.empty(((totals + beyond) * width, LANES))
        # The slopes of V in the worth of a bust.
        S = np.empty(((totals + beyond) * width, LANES))
        for p in range(totals * width, (totals + beyond) * width):
            for i in range(LANES):
                V[p, i] = 1.0
                S[p, i] = 0.0
        worth, slope, top, top_slope = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
        bust_here, wipe_here = np.zeros(LANES), np.zeros(LANES)
        for i in range(size):
            bust_here[i] = bust[first + i]
            wipe_here[i] = wipe[first + i]
        for t in range(totals - 1, -1, -1):
            for i in range(LANES):
                V[t * width, i] = bank[t, first + i] if i < size else 1.0
                S[t * width, i] = 0.0
            for m in range(modes):
                row = (t % period) * modes + m
                for i in range(LANES):
                    worth[i] = 0.0
                    slope[i] = 0.0
                for o in range(row_start[row], row_start[row + 1]):
                    w = float(weight[o])
                    k = option_start[o]
                    if kind[o] == BUST:
                        for i in range(LANES):
                            worth[i] += w * bust_here[i]
                            slope[i] += w
                    elif kind[o] == WIPE:
                        for i in range(LANES):
                            worth[i] += w * wipe_here[i]
                    else:
                        p = (t + gain[k]) * width + next_mode[k] + 1
                        if option_start[o + 1] == k + 1:
                            for i in range(LANES):
                                worth[i] += w * V[p, i]
                                slope[i] += w * S[p, i]
                        else:
                            for i in range(LANES):
                                top[i] = V[p, i]
                                top_slope[i] = S[p, i]
                            for other in range(k + 1, option_start[o + 1]):
                                p = (t + gain[other]) * width + next_mode[other] + 1
                                for i in range(LANES):
                                    better = V[p, i] > top[i]
                                    top_slope[i] = S[p, i] if better else top_slope[i]
                                    top[i] = V[p, i] if better else top[i]
                            for i in range(LANES):
                                worth[i] += w * top[i]
                                slope[i] += w * top_slope[i]
                p = t * width + m + 1
                for i in range(LANES):
                    worth[i] /= sums[row]
                    slope[i] /= sums[row]
                    banked = V[t * width, i]
                    rolls_on = worth[i] > banked
                    V[p, i] = worth[i] if rolls_on else banked
                    S[p, i] = slope[i] if rolls_on else 0.0
                if t < roll.shape[1] and m < roll.shape[2]:
                    for i in range(size):
                        roll[first + i, t, m] = worth[i]
                        p_bust[first + i, t, m] = slope[i]
