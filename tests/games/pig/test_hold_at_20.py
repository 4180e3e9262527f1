"""Holding at 20 or at the goal: two programs agree, and the printed numbers are those of the best response."""

from fractions import Fraction

import pytest

from reference import matches
from support import fixed_policies, hold_at_20
from support.match_tables import columns
from support.printed import agrees, read


@pytest.mark.parametrize("target", [5, 30, 100])
def test_a_turn_and_a_duel_equal_another_program(target):
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


def test_the_numbers_against_hold_at_20_are_those_of_the_best_response():
    """58.74 and 47.76 belong to a player who knows that the opponent holds at 20, not to an optimal player."""
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
