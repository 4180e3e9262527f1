"""Backgammon's bear-off: printed chances of the last checkers, and a closed form. The audit compares printed values of
stacks on the ace point."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

ONE, TWO = {"checkers": 1}, {"checkers": 2}
LAST_TWO = {(1, 1): 36, (1, 2): 36, (1, 3): 34, (1, 4): 29, (1, 5): 23, (1, 6): 15, (2, 2): 26, (2, 3): 25, (2, 4): 23}
LAST_TWO |= {(2, 5): 19, (2, 6): 13, (3, 3): 17, (3, 4): 17, (3, 5): 14, (3, 6): 10, (4, 4): 11, (4, 5): 10}
LAST_TWO |= {(4, 6): 8, (5, 5): 6, (5, 6): 6, (6, 6): 4}
"""The number of rolls of 36 that take the last two checkers off, from textbooks."""


class TestBearOff(BoardRulesContract):
    game = "bear_off"
    match = "rolls"
    small: ClassVar = {"rolls": [ONE, TWO], "duel": [ONE]}
    larger: ClassVar = {"rolls": [{}], "duel": [TWO]}
    published = (
        # One roll is enough in 27 of 36 cases from point 6, 31 from 5, 34 from 4, all from others; two always are.
        Published("one checker, by hand", ONE, 1 + Fraction(9 + 5 + 2, 36 * 6)),
    )


@pytest.mark.parametrize("pair", LAST_TWO)
def test_rolls_that_take_the_last_two_checkers_off(pair):
    table = solved("bear_off_duel", TWO)
    board = "".join(str(pair.count(p)) for p in range(1, 7))
    rows = {roll: value for (mine, theirs, roll), value in table.values.items() if (mine, theirs) == (board, "100000")}
    assert sum((1 if r[0] == r[1] else 2) * (v == 1) for r, v in rows.items()) == LAST_TWO[pair]


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
