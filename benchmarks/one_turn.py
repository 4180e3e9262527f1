"""One turn by backward induction in doubles: the value of every (turn total, mode).

    W(t, m) = sum over outcomes of p * ( bust | wipe | best over options (g, m') of V(t + g, m') )
    V(t, m) = best(bank[t], W(t, m))         for t < T
    V(t, m) = tail[t - T, m]                 for t >= T

Totals only grow, so W(t, .) needs only larger totals: one pass from T - 1 down to 0 is enough. dicebase itself solves
single turns in rationals, and the turns of a match side by side.
"""

import numpy as np
from numba import njit

from dicebase.solvers.turns.compiled import BUST, WIPE, CompiledTurn


def turn_values(turn: CompiledTurn, bank: np.ndarray, tail: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (W, V), each by turn total in units and mode, of a turn without forced ends in which a loss has the value
    0; bank : (T,), the value of banking; tail : (at least max_gain, modes), V at totals T, T + 1, ..."""
    return kernel(turn_arrays(turn), bank, tail, 0.0, 0.0)


def turn_arrays(turn: CompiledTurn) -> tuple:
    """Return the first argument of `kernel` for a turn."""
    rows = turn.row_start, turn.sum_of_weights, turn.weight, turn.kind
    return turn.period, *rows, turn.option_start, turn.gain, turn.next_mode


@njit(cache=True, nogil=True)
def kernel(turn, bank, tail, bust, wipe):
    """Return (W, V); bust and wipe are the values of losing the turn, and of losing all banked points as well."""
    period, row_start, sums, weight, kind, option_start, gain, next_mode = turn
    totals, modes = bank.shape[0], tail.shape[1]
    roll, best = np.empty((2, totals, modes))
    for t in range(totals - 1, -1, -1):
        for m in range(modes):
            row = (t % period) * modes + m
            worth = 0.0
            for o in range(row_start[row], row_start[row + 1]):
                top = -np.inf
                if kind[o] == BUST:
                    top = bust
                elif kind[o] == WIPE:
                    top = wipe
                for k in range(option_start[o], option_start[o + 1]):
                    x, n = t + gain[k], next_mode[k]
                    top = max(top, tail[x - totals, n] if x >= totals else best[x, n])
                worth += weight[o] * top
            roll[t, m] = worth / sums[row]
            best[t, m] = max(roll[t, m], bank[t])
    return roll, best
