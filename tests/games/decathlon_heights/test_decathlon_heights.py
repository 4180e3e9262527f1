"""The high jump and the pole vault of the Decathlon: printed values, and a solver that uses the chance of a jump."""

from fractions import Fraction
from typing import ClassVar

from reference.decathlon import MAXJIANG, PRINTED, heights, high_jump, pole_vault
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

HIGH, POLE = {"event": "high_jump"}, {"event": "pole_vault"}


class TestDecathlonHeights(BoardRulesContract):
    game = "decathlon_heights"
    match = "points"
    small: ClassVar = {"points": [HIGH]}
    published = tuple(Published(MAXJIANG, of, PRINTED[f"event={of['event']}"]) for of in (HIGH, POLE))


def test_the_high_jump_equals_an_independent_solvers():
    exact = solved("decathlon_heights_points", HIGH).certificate.exact
    assert exact == str(heights(high_jump, 30))


def test_every_jump_at_a_height_equals_an_independent_solvers():
    for (height, cleared, jumps), value in solved("decathlon_heights_points", POLE).values.items():
        if jumps < 3:
            clears = 1 - (1 - pole_vault(height)) ** jumps
            worth = clears * heights(pole_vault, 48, height + 2, height) + (1 - clears) * cleared
            assert abs(value - worth) <= Fraction(1, 10**13)


def test_a_height_can_be_skipped_only_before_the_first_jump():
    assert build("decathlon_heights_points", HIGH).actions((10, 0, 3)) == ["skip", "jump with 5 dice"]
    assert build("decathlon_heights_points", POLE).actions((10, 0, 2))[:2] == ["jump with 1 die", "jump with 2 dice"]
