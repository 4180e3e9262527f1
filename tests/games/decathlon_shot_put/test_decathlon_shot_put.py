"""The shot put of the Decathlon: a printed value, and when to stop."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.contract_boards import solved
from support.printed import of_board


class TestDecathlonShotPut(BoardRulesContract):
    game = "decathlon_shot_put"
    match = "points"
    small: ClassVar = {"points": [{"attempts": 1}, {"attempts": 3, "dice": 2}]}
    larger: ClassVar = {"points": [{"attempts": 2, "dice": 4}]}
    published = (Published("M. Jiang, maxjiang216/dice_decathlon", {}, of_board("Jiang", "attempts=3 dice=8")),)


def test_the_last_attempt_goes_on_while_it_is_behind():
    table = solved("decathlon_shot_put_points", {})
    actions = table.actions[1, 30, 6, 28]
    assert actions["throw"]["optimal"] and actions["stop"]["q_value"] == 30
    # From 20 points on, a 1 costs at least as much on average as the other faces gain, as in Pig.
    assert table.actions[1, 0, 5, 20]["stop"]["optimal"] and table.actions[1, 0, 5, 19]["throw"]["optimal"]
