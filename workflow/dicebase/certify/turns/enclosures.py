"""How wrong the values between turns can be, from the residuals of single turns.

reach   Errors add up over the turns left: r times their number.
race    An optimal policy loses at most r a turn against the published values, and lasts as many turns as its value
        says; the policy that follows the published values lasts at most max(v) / (1 - r). No value is wrong by more
        than r max(v) / (1 - r).
duel    Let L <= v <= U be such that a turn leads to no more than U if the opponent's values are L, and to no less than
        L if they are U. Repeating this never turns back, so it ends in a solution between L and U; the solution is
        unique (see solve/turns/duel.py): it is the value. L and U are v -+ e g, but for 0 and 1, which no chance is
        beyond; g is the number of turns still to come under the published values, which falls by one each turn: e need
        only be a little more than r. That they are such a pair is checked in the same arithmetic as the rows, its
        rounding added.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Duel, Race, Stakes

SWEEPS, CLOSE = 1_000, 1e-6


def bound_between(turns: Turns, stakes: Stakes, wipes: bool, residual: float, fail: Fail) -> tuple[float, str]:
    """(a bound on the values at the start of turns, why it holds)."""
    if isinstance(stakes, Duel):
        return _bound_duel(turns, stakes, wipes, residual, fail)
    if isinstance(stakes, Race):
        most = float(stakes.values.max())
        return residual * most / (1 - residual), f"residuals of turns times the longest race, {most:.4g} turns"
    return residual * stakes.limit, f"residuals of turns, summed over {stakes.limit} turns"


def rounding_inside(turns: Turns, stakes: Stakes) -> float:
    """How far sums of doubles take a position inside a turn from what follows exactly from the starts of turns.

    A number from which a turn follows is rounded once; a sum over n rolls n times, and its quotient once; each time by
    half an EPSILON at the most. Errors of later positions count by their probability, and the largest where there is a
    choice.
    """
    largest = 1.0 + float(stakes.values.max()) if isinstance(stakes, Race) else 1.0
    rolls, sums = np.diff(turns.first_roll), np.add.reduceat(turns.weight, turns.first_roll[:-1])
    chooses = np.flatnonzero(turns.kind == OPTIONS)
    once = largest * EPSILON / 2 * (1.0 + 1e-9)
    error = np.full(len(rolls) + 1, once)  # by mode; the last is to bank
    for _ in range(stakes.size):  # no turn has more rolls
        worst = np.maximum.reduceat(error[turns.next], turns.first_option[chooses])
        mean = np.bincount(turns.mode_of_roll[chooses], turns.weight[chooses] * worst, len(rolls)) / sums
        error[:-1] = (rolls + 2) * once + mean
    return float(error.max()) * (1.0 + 1e-9)


def _bound_duel(turns: Turns, duel: Duel, wipes: bool, residual: float, fail: Fail) -> tuple[float, str]:
    V = duel.values.reshape(duel.size, duel.size)
    g, e = _turns_to_come(turns, V, wipes), 1.25 * residual + EPSILON
    while e <= 1e-6:
        low, high = np.maximum(V - e * g, 0.0), np.minimum(V + e * g, 1.0)
        if _encloses(turns, duel, low, high):
            bound = float(np.maximum(high - V, V - low).max()) + EPSILON
            return bound, f"sub- and super-solutions, {e:.3g} times the turns to come, at most {g.max():.4g}"
        e *= 1.5
    fail(None, f"no enclosure of the values holds: residuals of turns reach {residual:.3g}")
    raise AssertionError


def _turns_to_come(turns: Turns, V: np.ndarray, wipes: bool) -> np.ndarray:
    """The expected number of turns of the rest of the match, by (mover's, opponent's total), both following V.

    With wipes they are found sweep by sweep, from below, until a sweep adds less than CLOSE of the longest.
    """
    size = len(V)
    g = np.zeros((size, size))
    for _ in range(SWEEPS if wipes else 1):
        before = g[:, 0].copy()
        for total in range(2 * size - 2, -1, -1):
            b = np.arange(max(0, total - size + 1), total // 2 + 1)
            a = total - b
            ends, busts = _ends(turns, V, g, before, np.concatenate([a, b]), np.concatenate([b, a]))
            (x, y), (p, q) = np.split(ends, 2), np.split(busts, 2)
            g[a, b] = (1 + x + p * (1 + y)) / (1 - p * q)
            g[b, a] = 1 + y + q * g[a, b]
        if np.abs(g[:, 0] - before).max() <= CLOSE * g.max():
            break
    return g


def _ends(
    turns: Turns, V: np.ndarray, g: np.ndarray, wiped: np.ndarray, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(expected turns to come after turns at (a, b), but for a bust; probability of a bust), each of shape (n,)."""
    size = len(V)
    # What is banked beyond the target is worth 1, like the target itself.
    after = a[:, np.newaxis] + np.arange(size - a.min())
    below, after = after < size, np.minimum(after, size - 1)
    bank = np.where(below, 1.0 - V[b[:, np.newaxis], after], 1.0)
    later = np.where(below, g[b[:, np.newaxis], after], 0.0)
    return play(turns, (bank, bank[:, 0], 1.0 - V[b, 0]), 1, (later, bank[:, 0], wiped[b]), totals=0)[2:]


def _encloses(turns: Turns, duel: Duel, low: np.ndarray, high: np.ndarray) -> bool:
    """Whether one turn of the mover leads from the opponent's `low` to no more than `high`, and the other way round."""
    for block in range(duel.blocks):
        for theirs, ours, sign in ((low, high, 1), (high, low, -1)):
            worth, error, _, _ = play(turns, duel.after(theirs, block), 1, totals=1)
            # What a turn leads to is 1 minus a double; being a probability, it is no less than 0 and no more than 1.
            inside = sign * (ours[block] - worth[:, 0, 0]) >= error[:, 0, 0] + EPSILON
            if not np.all(inside | (ours[block] == (1.0 if sign > 0 else 0.0))):
                return False
    return True
