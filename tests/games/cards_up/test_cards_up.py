"""Cards Up: the printed value of Alice, and another solver of the problem; Bob is in the audit."""

from functools import cache
from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from reference.cards_up import EULER, TAMND, Cards
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, check_same

solution = cache(Cards)


class TestCardsUp(BoardRulesContract):
    game = "cards_up"
    match = "turns"
    small: ClassVar = {"turns": [{"cards": 2}, {"cards": 3}, {}, {"cards": 4, "sides": 3}]}
    published = (Published(EULER, {}, "5.673651"), Published(TAMND, {}, "5.67365079365"))


@pytest.mark.parametrize("sides", [2, 3])
def test_every_value_equals_an_independent_solvers(sides):
    game = solution(sides)

    def value(state):
        # In the other solver the cards lie face down at first and must be turned up.
        down = {*range(1, 2 * sides + 1)} - {int(card) for card in state[0]}
        return game.value(down, tuple(map(int, state[1])))

    check_same("cards_up_turns", {"cards": 2 * sides, "sides": sides}, value, 1e-12)


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
