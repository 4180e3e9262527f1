"""The fewest turns to a target, in the longest doubles of the machine: decisions in a race can be ties.

Any policy, then a better one until none is; then Newton's steps on what one best turn leaves. With a residual r no
expected number of turns is wrong by more than r max(R) / (1 - r), as in enclosures.py.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.certify.fixed_pair import STEPS
from dicebase.certify.turns.kernel import BUST, OPTIONS, Turns
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of

REFINED = 3  # Newton's steps after the policy has come to rest


def fewest_turns(turns: Turns, size: int, start: Callable[[int], TurnPolicy], fail: Fail) -> tuple[np.ndarray, float]:
    """(R, a bound on its error) by total in units, from the policy `start`."""
    R, step = _race_of(turns, size, start)
    R = R.astype(np.longdouble)
    for _ in range(STEPS):
        shorter, leads = _race_of(turns, size, shortest(turns, R, 0.0, 0.0))
        if not (R - shorter).max() > 1e-12 * R.max():
            break
        R, step = shorter.astype(np.longdouble), leads
    else:
        fail(None, f"a race is still shortened after {STEPS} policies")
    for _ in range(REFINED):
        R = R - np.linalg.solve(np.eye(size) - step, (R - _again(turns, R)).astype(float))
    # Sums of positive terms: a rounding for each outcome of each roll of a turn.
    rounding = float(np.finfo(np.longdouble).eps) * len(turns.weight) * size * float(R.max())
    residual = float(np.abs(R - _again(turns, R)).max()) + rounding
    return R, residual * float(R.max()) / (1 - residual)


def best_rolls(turns: Turns, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(expected turns, this one included, if one rolls and then plays the shortest race by R; if one stops).

    Both by (mover's total, turn total, mode), one where the target is reached.
    """
    size, modes = len(R), len(turns.modes)
    stop = np.ones((size, 2 * size), np.longdouble)
    for me in range(size):
        stop[me, : size - me] += R[me:]
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
            best[short, t, m] = np.minimum(roll[short, t, m], stop[short, t])
    return roll, stop[:, :size]


def shortest(turns: Turns, R: np.ndarray, tie: float, error: float) -> Callable[[int], TurnPolicy]:
    """The policy that shortens the race by R."""
    roll, stop = (-x.astype(float) for x in best_rolls(turns, R))
    stop = np.repeat(stop[..., np.newaxis], roll.shape[2], axis=2)
    errors = np.array([error])
    return lambda me: TurnPolicy(roll[me : me + 1, : len(R) - me], stop[me : me + 1, : len(R) - me], tie, errors)


def _again(turns: Turns, R: np.ndarray) -> np.ndarray:
    return best_rolls(turns, R)[0][:, 0, 0]


def _race_of(turns: Turns, size: int, decide: Callable[[int], TurnPolicy]) -> tuple[np.ndarray, np.ndarray]:
    """(expected turns of a policy, where its turns lead) by total."""
    ends = ends_of(turns, size, decide)
    leads = ends.ends[:, 0, :size].copy()
    leads[:, 0] += ends.wipes[:, 0]
    leads[np.arange(size), np.arange(size)] += ends.busts[:, 0]
    return np.linalg.solve(np.eye(size) - leads, np.ones(size)), leads
