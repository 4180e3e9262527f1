"""One turn by backward induction in doubles: the value of every (turn total, mode).

    W(t, m) = sum over outcomes of p * ( bust | wipe | best over options (g, m') of V(t + g, m') )
    V(t, m) = best(bank[t], W(t, m))         for t < T
    V(t, m) = tail[t - T, m]                 for t >= T
    an option that ends the turn by force is worth end[t + g]

Totals only grow, so W(t, .) needs only larger totals: one pass from T - 1 down to 0 is enough. W is linear in the value
of a bust and of a wipe as long as the choices stay the same; its slopes are the probabilities of a bust and of a wipe
under these choices, which Newton's method needs to solve a match.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from dicebase.solvers.turns.compiled import BUST, ENDS, WIPE, CompiledTurn


class TurnValues(NamedTuple):
    """Results by (turn total in units, mode index), each of shape (T, modes), in the units of `bank`."""

    roll: np.ndarray  # W: value of rolling
    best: np.ndarray  # V: value of the better of banking and rolling
    p_bust: np.ndarray  # probability that rolling at (t, m) ends in a bust: the slope of W in the value of a bust
    p_wipe: np.ndarray  # the same for a wipe


def turn_values(
    turn: CompiledTurn,
    bank: np.ndarray,
    tail: np.ndarray,
    *,
    end: np.ndarray | None = None,
    bust: float = 0.0,
    wipe: float = 0.0,
    maximise: bool = True,
) -> TurnValues:
    """Solve one turn.

    bank : (T,) the mover's value of banking x units; if banking is forbidden, the infinity that is worse for the mover.
    tail : (at least max_gain, modes) V at totals T, T + 1, ...; not necessarily the value of banking there.
    end : (at least T + max_gain,) value of a forced end at each total; needed by turns that have one, never infinite.
    bust, wipe : value of losing the turn, and of losing all banked points as well.
    maximise : whether more is better for the mover.

    The first roll of a turn is compulsory: the value of a turn about to start is `roll[0, 0]`. Slopes ignore
    losses beyond T: the tail does not depend on `bust` or `wipe`. Raises ValueError for arrays that are too short.
    """
    if tail.shape[0] < turn.max_gain or tail.shape[1] != len(turn.modes):
        raise ValueError(f"tail has shape {tail.shape}; it needs {turn.max_gain} totals and {len(turn.modes)} modes")
    ends = bool((turn.next_mode == ENDS).any())
    if end is None:
        end = np.empty(0)
    if ends and (len(end) < len(bank) + turn.max_gain or not np.isfinite(end).all()):
        raise ValueError(f"forced ends need a finite worth at each of {len(bank) + turn.max_gain} totals")
    return TurnValues(*_kernel(*turn.arrays, bank, tail, end, bust, wipe, 1.0 if maximise else -1.0))


@njit(cache=True, nogil=True)
def _kernel(period, row_start, sums, weight, kind, option_start, gain, next_mode, bank, tail, end, bust, wipe, sign):
    totals, modes = bank.shape[0], tail.shape[1]
    roll, best, p_bust, p_wipe = np.empty((4, totals, modes))
    # The slopes of V: the slopes of W if rolling is right, 0 if banking is.
    v_bust, v_wipe = np.zeros((2, totals, modes))
    for t in range(totals - 1, -1, -1):
        for m in range(modes):
            row = (t % period) * modes + m
            worth = busts = wipes = 0.0
            for o in range(row_start[row], row_start[row + 1]):
                w = weight[o]
                if kind[o] == BUST:
                    worth += w * bust
                    busts += w
                elif kind[o] == WIPE:
                    worth += w * wipe
                    wipes += w
                else:
                    top, top_bust, top_wipe = -np.inf, 0.0, 0.0
                    for k in range(option_start[o], option_start[o + 1]):
                        x, n = t + gain[k], next_mode[k]
                        slope_bust = slope_wipe = 0.0
                        if n == ENDS:
                            value = end[x]
                        elif x >= totals:
                            value = tail[x - totals, n]
                        else:
                            value, slope_bust, slope_wipe = best[x, n], v_bust[x, n], v_wipe[x, n]
                        if sign * value > top:
                            top, top_bust, top_wipe = sign * value, slope_bust, slope_wipe
                    worth += w * (sign * top)
                    busts += w * top_bust
                    wipes += w * top_wipe
            worth, busts, wipes = worth / sums[row], busts / sums[row], wipes / sums[row]
            roll[t, m], p_bust[t, m], p_wipe[t, m] = worth, busts, wipes
            if sign * worth > sign * bank[t]:
                best[t, m], v_bust[t, m], v_wipe[t, m] = worth, busts, wipes
            else:
                best[t, m] = bank[t]
    return roll, best, p_bust, p_wipe
