"""The high jump and the pole vault of the Decathlon: printed values, and when a height can be skipped."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.contract_boards import build
from support.printed import of_board

HIGH, POLE = {"event": "high_jump"}, {"event": "pole_vault"}
JIANG = "M. Jiang, github.com/maxjiang216/dice_decathlon, worklog: two independent programs for each event"


class TestDecathlonHeights(BoardRulesContract):
    game = "decathlon_heights"
    match = "points"
    small: ClassVar = {"points": [HIGH]}
    larger: ClassVar = {"points": [POLE]}
    published = tuple(Published(JIANG, of, of_board("Jiang", f"event={of['event']}")) for of in (HIGH, POLE))


def test_a_height_can_be_skipped_only_before_the_first_jump():
    assert build("decathlon_heights_points", HIGH).actions((10, 0, 3)) == ["skip", "jump with 5 dice"]
    assert build("decathlon_heights_points", POLE).actions((10, 0, 2))[:2] == ["jump with 1 die", "jump with 2 dice"]
