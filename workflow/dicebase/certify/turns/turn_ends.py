"""How turns end, by a policy or by the best play: played forward roll by roll, as the rules list them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import njit

from dicebase.certify.finding import EPSILON
from dicebase.certify.fixed_pair import Ends
from dicebase.certify.turns.kernel import BUST, OPTIONS, Turns
from dicebase.certify.turns.stakes import Worth
from dicebase.vocabulary import TIE


class TurnPolicy(NamedTuple):
    """Of turns that begin equally far from the target: worth of rolling and of stopping, by (opponent's total or 0,
    turn total, mode); one rolls on where that is better by more than `tie`, and takes the ways to keep dice within
    `tie` of the best for equal. `error` bounds, by opponent's total or 0, what is wrong with a difference of two
    worths."""

    roll: np.ndarray
    stop: np.ndarray
    tie: float
    error: np.ndarray


def ends_of(turns: Turns, size: int, decide: Callable[[int], TurnPolicy]) -> Ends:
    """How the turns of a policy end; `decide` is called with the mover's total in units."""
    parts = [_ends(*turns.arrays, *decide(me), size) for me in range(size)]
    return Ends(*(np.array([part[k] for part in parts]) for k in range(4)))


@njit(cache=True, nogil=True)
def _ends(first_roll, weight, kind, first_option, gain, next_mode, roll, stop, tie, error, size):
    records, need, modes = roll.shape
    me = size - need
    ends, busts, wipes = np.zeros((records, size + 1)), np.zeros(records), np.zeros(records)
    doubts = np.zeros(records)
    sums = np.array([weight[first_roll[m] : first_roll[m + 1]].sum() for m in range(modes)])
    for i in range(records):
        visits, unsure = np.zeros((need, modes)), np.zeros((need, modes))
        visits[0, 0] = 1.0
        for t in range(need):
            for m in range(modes):
                here, doubt = visits[t, m], unsure[t, m]
                if here == 0.0:
                    continue
                better = roll[i, t, m] - stop[i, t, m]
                if t > 0 and error[i] > 0.0 and abs(better - tie) <= error[i]:
                    doubts[i] += here
                if t > 0 and not better > tie:
                    ends[i, me + t] += here
                    doubts[i] += doubt + EPSILON / 2 * ends[i, me + t]
                    continue
                for o in range(first_roll[m], first_roll[m + 1]):
                    share = weight[o] / sums[m]
                    chance = here * share
                    # A quotient and a product round by half an EPSILON each.
                    wrong = doubt * share + EPSILON * chance
                    if kind[o] != OPTIONS:
                        if kind[o] == BUST:
                            busts[i] += chance
                        else:
                            wipes[i] += chance
                        doubts[i] += wrong + EPSILON / 2 * (busts[i] + wipes[i])
                        continue
                    best = -np.inf
                    for k in range(first_option[o], first_option[o + 1]):
                        best = max(best, _worth(roll, stop, i, t + gain[k], next_mode[k], need))
                    chosen = -1
                    for k in range(first_option[o], first_option[o + 1]):
                        worth = _worth(roll, stop, i, t + gain[k], next_mode[k], need)
                        if best < np.inf and error[i] > 0.0 and abs(best - worth - tie) <= error[i]:
                            doubts[i] += chance
                        if worth >= best - tie and (
                            chosen < 0
                            or gain[k] > gain[chosen]
                            or (gain[k] == gain[chosen] and next_mode[k] < next_mode[chosen])
                        ):
                            chosen = k
                    x = t + gain[chosen]
                    if x < need and next_mode[chosen] >= 0:
                        visits[x, next_mode[chosen]] += chance
                        unsure[x, next_mode[chosen]] += wrong + EPSILON / 2 * visits[x, next_mode[chosen]]
                    else:
                        to = me + min(x, need)
                        ends[i, to] += chance
                        doubts[i] += wrong + EPSILON / 2 * ends[i, to]
    return ends, busts, wipes, doubts


@njit(inline="always")
def _worth(roll, stop, i, x, n, need):
    if x >= need:
        return np.inf
    return stop[i, x, 0] if n < 0 else max(roll[i, x, n], stop[i, x, n])


Ended = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of some turns: (worth of the first roll; probability of each total of the mover after the turn, in units from 0 to
the target; bounds on the rounding of these probabilities)."""


def ends_of_best(turns: Turns, worth: Worth, size: int) -> Ended:
    """Play turns that begin equally far from a target of `size` units; to reach it is worth 1.

    Of several ways to use a roll the first of the best is taken; the mover banks where rolling on is not better by more
    than TIE. A turn that is lost leaves the total as it is, one that loses the bank leaves 0.
    """
    return _best_ends(*turns.arrays, *worth, size)


@njit(cache=True, nogil=True)
def _best_ends(first_roll, weight, kind, first_option, gain, next_mode, bank, bust, wipe, size):
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
