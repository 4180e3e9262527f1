"""Backgammon's bear-off: a closed form, and how rolls are played. The audit compares printed values."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from support.contract import BoardRulesContract, Published
from support.contract_boards import build

ONE, TWO = {"checkers": 1}, {"checkers": 2}


class TestBearOff(BoardRulesContract):
    game = "bear_off"
    match = "rolls"
    small: ClassVar = {"rolls": [ONE, TWO], "duel": [ONE]}
    larger: ClassVar = {"rolls": [{}], "duel": [TWO]}
    published = (
        # One roll is enough in 27 of 36 cases from point 6, 31 from 5, 34 from 4, all from others; two always are.
        Published("one checker, by hand", ONE, 1 + Fraction(9 + 5 + 2, 36 * 6)),
    )


def test_a_roll_is_played_in_both_orders():
    rules = build("bear_off_rolls", {})
    # With the 2 first the 1 takes the checker off from point 1, with the 1 first the 2 takes it off from point 2.
    assert rules.actions(("001000", "12")) == ["3/1 1/off"]
    assert rules.afterstate(("100002", "16"), "6/off 6/5") == ("100010",)
    assert rules.actions(("020000", "66")) == ["2/off 2/off"]


def test_a_duel_of_many_checkers_is_refused():
    with pytest.raises(ConfigurationError, match="a duel has 1 to 5"):
        build("bear_off_duel", {"checkers": 6})


@pytest.mark.parametrize(
    ("state", "why"), [(("12", "11"), "six characters"), (("000000", "11"), "play is over"), (("300000", "34"), "")]
)
def test_the_reason_for_a_missing_position(state, why):
    assert why in build("bear_off_rolls", {}).why_missing(state)
