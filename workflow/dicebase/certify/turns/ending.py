"""Where a turn leads, played forward by the certifier's own kernel, roll by roll as the rules list them."""

import numpy as np
from numba import njit

from dicebase.certify.finding import EPSILON
from dicebase.certify.turns.around import Worth
from dicebase.certify.turns.kernel import BUST, OPTIONS, Turns
from dicebase.vocabulary.ranking import TIE

Ended = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of some turns: (worth of the first roll; probability of each total of the mover after the turn, in units from 0 to
the target; bounds on the rounding of these probabilities)."""


def ends_of(turns: Turns, worth: Worth, size: int) -> Ended:
    """Play turns that begin equally far from a target of `size` units; to reach it is worth 1.

    Of several ways to use a roll the first of the best is taken; the mover banks where rolling on is not better by more
    than TIE. A turn that is lost leaves the total as it is, one that loses the bank leaves 0.
    """
    return _ends(*turns.arrays, *worth, size)


@njit(cache=True, nogil=True)
def _ends(first_roll, weight, kind, first_option, gain, next_mode, bank, bust, wipe, size):
    records, need = bank.shape
    me, modes = size - need, len(first_roll) - 1
    sums = np.array([weight[first_roll[m] : first_roll[m + 1]].sum() for m in range(modes)])
    starts = np.empty(records)
    ends, doubts = np.zeros((records, size + 1)), np.zeros((records, size + 1))
    beyond = need + gain.max()
    # By total and mode, the last of which is to bank: what a position is worth, and what the play that follows earns.
    best, followed = np.ones((beyond, modes + 1)), np.ones((beyond, modes + 1))
    rolls = np.zeros((need, modes), np.bool_)
    for i in range(records):
        for t in range(need - 1, -1, -1):
            best[t, modes] = followed[t, modes] = bank[i, t]
            for m in range(modes):
                total = 0.0
                for o in range(first_roll[m], first_roll[m + 1]):
                    value = bust[i] if kind[o] == BUST else wipe[i]
                    if kind[o] == OPTIONS:
                        value = -np.inf
                        for k in range(first_option[o], first_option[o + 1]):
                            value = max(value, best[t + gain[k], next_mode[k]])
                    total += weight[o] * value
                value = total / sums[m]
                rolls[t, m] = value - bank[i, t] > TIE
                best[t, m] = max(value, bank[i, t])
                followed[t, m] = value if rolls[t, m] else bank[i, t]
                if t == 0 and m == 0:
                    starts[i] = value
        visits, doubt = np.zeros((need, modes)), np.zeros((need, modes))
        visits[0, 0] = 1.0
        for t in range(need):
            for m in range(modes):
                if visits[t, m] == 0.0:
                    continue
                for o in range(first_roll[m], first_roll[m + 1]):
                    share = weight[o] / sums[m]
                    chance = visits[t, m] * share
                    # A quotient and a product round by half an EPSILON each.
                    unsure = doubt[t, m] * share + EPSILON * chance
                    to = me if kind[o] == BUST else 0
                    if kind[o] == OPTIONS:
                        chosen, value = -1, -np.inf
                        for k in range(first_option[o], first_option[o + 1]):
                            if followed[t + gain[k], next_mode[k]] > value:
                                chosen, value = k, followed[t + gain[k], next_mode[k]]
                        x, n = t + gain[chosen], next_mode[chosen]
                        if x < need and n >= 0 and rolls[x, n]:
                            visits[x, n] += chance
                            doubt[x, n] += unsure + EPSILON / 2 * visits[x, n]
                            continue
                        to = me + min(x, need)
                    ends[i, to] += chance
                    doubts[i, to] += unsure + EPSILON / 2 * ends[i, to]
    return starts, ends, doubts * (1.0 + 1e-9)
