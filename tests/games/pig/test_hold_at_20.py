"""Holding at 20 or at the goal: the printed numbers are those of the best response."""

from fractions import Fraction

from support import hold_at_20
from support.match_tables import columns
from support.printed import agrees, read


def test_the_numbers_against_hold_at_20_are_those_of_the_best_response():
    """58.74 and 47.76 belong to a player who knows that the opponent holds at 20, not to an optimal player."""
    printed = [row["printed"] for row in read("pig") if row["place"] == "against hold at 20"]
    first, second = hold_at_20.duel(100)
    assert printed == ["58.74", "47.76"]
    assert agrees(printed[0], Fraction(100 * first)) and agrees(printed[1], Fraction(100 * (1 - second)))
    begins, waits = hold_at_20.duel(100, hold_at_20.published(columns("pig_duel")))
    assert begins < first - 0.015 and waits < second - 0.013
