"""To hold at 20 or goal: what the audit computes of it, by other programs; and the best response to it."""

from fractions import Fraction

import numpy as np
import pytest

from reference import matches
from support import fixed_policies, hold_at_20
from support.match_tables import columns
from support.printed import agrees, read


def best_response(target):
    """(responder's chance when he begins, when he waits): state by state, with bisection in plain Python."""
    first, wait = {}, {}  # by (responder's total, the other's)
    for s in range(2 * target - 2, -1, -1):
        for a in range(max(0, s - target + 1), min(target - 1, s) + 1):
            b = s - a
            _, lost, banked = hold_at_20.turn(target - b)
            later = sum(p * first[a, b + t] for t, p in banked.items())
            low, high = 0.0, 1.0
            for _ in range(48):
                x = (low + high) / 2
                low, high = (x, high) if played(target, a, b, lost * x + later, wait) > x else (low, x)
            first[a, b] = low
            wait[a, b] = lost * low + later
    return first[0, 0], wait[0, 0]


def played(target, a, b, bust, wait):
    """What a turn is worth to the responder."""
    need, V = target - a, {}
    for t in range(need + 5, -1, -1):
        if t >= need:
            V[t] = 1.0
            continue
        roll = (bust + sum(V[t + face] for face in range(2, 7))) / 6
        V[t] = roll if t == 0 else max(roll, wait[a + t, b])
    return V[0]


def test_the_best_response_is_that_of_bisection():
    assert hold_at_20.duel(28) == pytest.approx(best_response(28), abs=1e-12)


@pytest.mark.parametrize("target", [5, 30, 100])
def test_a_turn_and_a_duel_are_those_of_another_program(target):
    pig, hold = matches.pig(), fixed_policies.hold_at_20(target)
    for banked in range(0, target, 7):
        won, lost, kept = (x[0] for x in fixed_policies.chances(pig, hold, banked))
        ours = hold_at_20.turn(target - banked)
        assert ours[:2] == pytest.approx((won, lost), abs=1e-15)
        assert [ours[2].get(t, 0.0) for t in range(len(kept))] == pytest.approx(list(kept), abs=1e-15)
    begins, waits = hold_at_20.duel(target, hold_at_20.same(target))
    assert begins == pytest.approx(
        fixed_policies.matchup(pig, hold, hold), abs=1e-13
    ) and begins + waits == pytest.approx(1)


def test_the_variance_of_the_turns_is_that_of_their_distribution():
    target, mean, square = 100, 0.0, 0.0
    at = np.zeros(target)  # the chance of a total after so many turns
    at[0] = 1.0
    for n in range(1, 400):
        after, ended = np.zeros(target), 0.0
        for me in np.flatnonzero(at):
            won, lost, banked = hold_at_20.turn(target - int(me))
            ended += at[me] * won
            after[me] += at[me] * lost
            for t, p in banked.items():
                after[me + t] += at[me] * p
        at, mean, square = after, mean + n * ended, square + n * n * ended
    assert hold_at_20.turns(target) == pytest.approx((mean, square - mean * mean), rel=1e-9)


def test_the_numbers_against_hold_at_20_are_those_of_the_best_response():
    """58.74 and 47.76: of who knows that the other holds at 20, not of who plays optimally."""
    printed = [row["printed"] for row in read("pig") if row["place"] == "against hold at 20"]
    first, second = hold_at_20.duel(100)
    assert printed == ["58.74", "47.76"]
    assert agrees(printed[0], Fraction(100 * first)) and agrees(printed[1], Fraction(100 * (1 - second)))
    optimal = fixed_policies.published(columns("pig_duel"), 100, 1, 2)
    rolls = optimal.rolls[:, :, :100, 1]
    begins, waits = hold_at_20.duel(100, rolls)
    assert begins == pytest.approx(
        fixed_policies.matchup(matches.pig(), optimal, fixed_policies.hold_at_20()), abs=1e-13
    )
    assert begins < first - 0.015 and waits < second - 0.013
