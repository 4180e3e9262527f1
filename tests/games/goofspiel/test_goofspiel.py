"""Goofspiel: both players have the same cards and choose at once, so the value is 0."""

from typing import ClassVar

from support.contract import HiddenRulesContract, Published
from support.contract_boards import build


class TestGoofspiel(HiddenRulesContract):
    game = "goofspiel"
    small: ClassVar = [{"cards": 2}]
    published = (Published("by symmetry", {"cards": 3}, 0),)


def test_player_2_does_not_see_the_card_that_player_1_has_chosen():
    rules = build("goofspiel_duel", {}).rules
    seen = {rules.observation((("213",), f"3{card}"), 2) for card in "23"}
    assert seen == {(3, "231")}
    assert rules.observation((("213",), "3"), 1) == (3, "213")
