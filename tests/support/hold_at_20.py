"""Holding at 20 or at the goal in Pig with one die: turns, races, and a duel of any policy against it.

Roll until the turn total is 20 or reaches the target. In doubles, from the rules; accurate to about 1e-13.
"""

from functools import cache

import numpy as np

from reference import hold_at, matches
from reference.matches import BUST

HOLD, SIDES = 20, 6
POLICY = (lambda me, opponent, total, mode: total < HOLD, lambda *_: 0)


@cache
def ends(need: int) -> dict[int | str, float]:
    """{points banked, or BUST: probability} of a turn with `need` points to go."""
    return hold_at.ends(matches.pig(), POLICY, target=need)


def turns(target: int) -> tuple[float, float]:
    """(mean, variance) of the turns to the target."""
    return hold_at.moments(matches.pig(), target, POLICY)


def same(target: int) -> np.ndarray:
    """The policy itself as an array: whether it rolls, by (me, opponent, turn total)."""
    return np.broadcast_to(np.arange(target) < HOLD, (target, target, target))


def published(rows) -> np.ndarray:
    """The policy of the duel's table to 100 points, from its rows, in the same form."""
    rolls = np.zeros((100, 100, 100), bool)
    rolls[rows["me"], rows["opponent"], rows["turn_total"]] = rows["action"] == "roll"
    return rolls


def duel(target: int, rolls: np.ndarray | None = None) -> tuple[float, float]:
    """Return a policy's probability of winning against holding at 20 or goal: (as first player, as second player).

    rolls : whether the policy rolls, by (me, opponent, turn total); by default the policy is the best response. Pairs
    of totals with the same sum do not depend on one another and are solved together. Newton's method finds x, the
    probability of winning at the start of a turn: the value of a turn in which a bust has the value lost * x + later.
    """
    begins, waits = np.zeros((target, target)), np.zeros((target, target))  # by (me, opponent)
    kept = [{t: p for t, p in ends(target - b).items() if t != BUST and b + t < target} for b in range(target)]
    lost_by = np.array([ends(target - banked)[BUST] for banked in range(target)])
    for s in range(2 * target - 2, -1, -1):
        me = np.arange(max(0, s - target + 1), min(target - 1, s) + 1)
        opponent = s - me
        lost = lost_by[opponent]
        later = np.array(
            [sum(p * begins[a, b + t] for t, p in kept[b].items()) for a, b in zip(me, opponent, strict=True)]
        )
        x, step = begins[np.minimum(me + 1, target - 1), np.minimum(opponent + 1, target - 1)], 1.0
        while step > 1e-14:  # ends, because x rises from one of finitely many lines to the next
            value, slope = _turn(target, me, opponent, lost * x + later, lost, waits, rolls)
            better = (value - slope * x) / (1 - slope)
            step = 0.0 if rolls is not None else np.abs(better - x).max()
            x = better
        begins[me, opponent] = x
        waits[me, opponent] = lost * x + later
    return float(begins[0, 0]), float(waits[0, 0])


def _turn(target, me, opponent, bust, lost, waits, rolls) -> tuple[np.ndarray, np.ndarray]:
    """(value, slope in x) of a turn about to start, by pair of totals, if a lost turn has the value `bust`."""
    need = target - me
    value, slope = np.ones((target + SIDES + 1, len(me))), np.zeros((target + SIDES + 1, len(me)))
    for total in range(need.max() - 1, -1, -1):
        roll = (bust + value[total + 2 : total + SIDES + 1].sum(axis=0)) / SIDES
        bend = (lost + slope[total + 2 : total + SIDES + 1].sum(axis=0)) / SIDES
        hold = waits[np.minimum(me + total, target - 1), opponent]
        on = roll > hold if rolls is None else rolls[me, opponent, total]
        on = on | (total == 0)
        inside = total < need
        value[total] = np.where(inside, np.where(on, roll, hold), 1.0)
        slope[total] = np.where(inside & on, bend, 0.0)
    return value[0], slope[0]
