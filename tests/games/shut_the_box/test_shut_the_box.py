"""Shut the Box: a printed fraction, and a closed form. Expected sums of open tiles are compared with a separate
recursion in tests/tabulate/test_board_cards.py."""

from fractions import Fraction
from typing import ClassVar

import pytest

from support.contract import BoardRulesContract, Published
from support.contract_boards import build

UNARY = 'UnaryPlus, "Shut the box strategy", github.com/UnaryPlus/shut-the-box-strategy, README'


class TestShutTheBox(BoardRulesContract):
    game = "shut_the_box"
    match = "win"
    small: ClassVar = {
        "win": [{"tiles": 2}, {"tiles": 6, "one_die": "sum_at_most_6"}, {"tiles": 7, "one_die": "above_6_shut"}],
        "score": [{"tiles": 3, "one_die": "above_6_shut"}, {"tiles": 7, "one_die": "sum_at_most_6"}],
    }
    larger: ClassVar = {"win": [{"one_die": "above_6_shut"}], "score": [{"one_die": "sum_at_most_6"}]}
    published = (
        # The source allows one die only for a sum of at most 6; above that sum two dice are better anyway.
        Published(UNARY, {"one_die": "above_6_shut"}, Fraction(956177159, 9795520512)),
        # Two dice shut both tiles only with a 3, as they never show a 1.
        Published("two tiles and two dice, by hand", {"tiles": 2}, Fraction(2, 36)),
    )


def test_actions_are_words_that_people_type():
    rules = build("shut_the_box_win", {"tiles": 12}).rules
    assert rules.actions(("12379AC", 12)) == ["shut 12", "shut 2 10", "shut 3 9", "shut 1 2 9", "shut 2 3 7"]
    assert rules.afterstate(("12379AC", 12), "shut 2 10") == ("1379C", 0)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (("12", 7), "no open tiles sum to 7: the game is over"),
        (("12", 0), "two dice are thrown here, because one die is not allowed"),
        (("21", 3), "the open tiles are some of 123456789, in this order"),
        (("89", 13), "no play leads there"),
    ],
)
def test_the_reason_for_a_missing_position(state, why):
    assert build("shut_the_box_win", {}).why_missing(state) == why
