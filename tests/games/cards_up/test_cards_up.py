"""Cards Up: the printed value of Alice, and which cards can be turned; Bob is in the audit."""

from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from support.contract import BoardRulesContract, Published
from support.contract_boards import build


class TestCardsUp(BoardRulesContract):
    game = "cards_up"
    match = "turns"
    small: ClassVar = {"turns": [{"cards": 2}, {"cards": 3}, {}, {"cards": 4, "sides": 3}]}
    larger: ClassVar = {"turns": [{"cards": 6, "sides": 3}]}
    published = (
        Published('Project Euler, problem 640, "Shut the Box"', {}, "5.673651"),
        Published("brain.tamnd.com/practice/euler/640", {}, "5.67365079365"),
    )


def test_only_existing_cards_can_be_turned():
    rules = build("cards_up_turns", {"cards": 4, "sides": 3}).rules
    assert rules.actions(("1234", "23")) == ["turn 2", "turn 3"]
    assert rules.actions(("1234", "11")) == ["turn 1", "turn 2"]
    assert rules.afterstate(("124", "12"), "turn 3") == ("1234", 1)


@pytest.mark.parametrize("cards", [5, 2])
def test_cards_that_dice_cannot_turn_are_refused(cards):
    sides = 2 if cards == 5 else 3
    with pytest.raises(ConfigurationError, match=f"cards: two dice of {sides} sides"):
        build("cards_up_turns", {"cards": cards, "sides": sides})
