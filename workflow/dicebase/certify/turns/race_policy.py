"""The fewest turns to a target, in the longest doubles of the machine: decisions in a race can be ties.

Newton's steps on what one best turn leaves. With a residual r no expected number of turns is wrong by more than
r max(R) / (1 - r), as in enclosures.py.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.fixed_pair import STEPS
from dicebase.certify.turns.kernel import BUST, OPTIONS, Turns
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of


def fewest_turns(turns: Turns, stakes: Stakes, tie: float, fail: Fail) -> Callable[[int], TurnPolicy]:
    """The policy of the fewest expected turns, by the mover's total in units."""
    size = stakes.size
    R = np.arange(size, 0, -1).astype(np.longdouble)  # any numbers that fall with the total
    own = np.arange(size)
    for _ in range(STEPS):
        roll, stop = _best_rolls(turns, stakes, R)
        left = R - roll[:, 0, 0]
        # Sums of positive terms: a rounding for each outcome of each roll of a turn.
        rounding = float(np.finfo(np.longdouble).eps) * len(turns.weight) * size * float(R.max())
        if np.abs(left).max() <= rounding:
            residual = float(np.abs(left).max()) + rounding
            wrong = residual * float(R.max()) / (1 - residual)
            return _shortest(roll, stop, tie, 2 * (wrong + EPSILON * float(R.max() + 1)))
        ends = ends_of(turns, size, _shortest(roll, stop, 0.0, 0.0))
        leads = ends.ends[:, 0, :size].copy()
        leads[:, 0] += ends.wipes[:, 0]
        leads[own, own] += ends.busts[:, 0]
        R = R - np.linalg.solve(np.eye(size) - leads, left.astype(float))
    fail(None, f"a race is still shortened after {STEPS} policies")


def _best_rolls(turns: Turns, stakes: Stakes, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(expected turns, this one included, if one rolls and then plays the shortest race by R; if one stops, endless
    where one may not).

    Both by (mover's total, turn total, mode), one where the target is reached.
    """
    size, modes, own = len(R), len(turns.modes), np.arange(len(R))
    stop = np.ones((size, 2 * size), np.longdouble)
    for me in range(size):
        stop[me, : size - me] += R[me:]
        stop[me, : size - me][stakes.too_few(np.array(me), own[: size - me])] = np.inf
    roll = np.ones((size, size, modes), np.longdouble)
    best = np.ones((size, size + int(turns.gain.max()), modes + 1), np.longdouble)  # the last of the modes: to stop
    for t in range(size - 1, -1, -1):
        short = slice(0, size - t)  # of the target, with that turn total
        best[short, t, modes] = stop[short, t]
        for m in range(modes):
            rolls = range(turns.first_roll[m], turns.first_roll[m + 1])
            total = np.zeros(size - t, np.longdouble)
            for o in rolls:
                if turns.kind[o] == OPTIONS:
                    options = slice(turns.first_option[o], turns.first_option[o + 1])
                    worth = best[short, t + turns.gain[options], turns.next[options]].min(axis=1)
                else:
                    worth = stop[short, 0] if turns.kind[o] == BUST else 1 + R[0]
                total += np.longdouble(turns.weight[o]) * worth
            roll[short, t, m] = total / np.longdouble(turns.weight[list(rolls)].sum())
            best[short, t, m] = roll[short, t, m]
            if not turns.must_roll[m]:
                best[short, t, m] = np.minimum(roll[short, t, m], stop[short, t])
    return roll, stop[:, :size]


def _shortest(roll: np.ndarray, stop: np.ndarray, tie: float, error: float) -> Callable[[int], TurnPolicy]:
    """The policy that follows such worths."""
    roll, stop, errors = -roll.astype(float), -stop.astype(float), np.array([error])
    size = len(roll)
    return lambda me: TurnPolicy(roll[me : me + 1, : size - me], stop[me : me + 1, : size - me], tie, errors)
