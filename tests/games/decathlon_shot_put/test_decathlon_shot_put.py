"""The shot put of the Decathlon: a printed value."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.printed import of_board


class TestDecathlonShotPut(BoardRulesContract):
    game = "decathlon_shot_put"
    match = "points"
    small: ClassVar = {"points": [{"attempts": 1}, {"attempts": 3, "dice": 2}]}
    larger: ClassVar = {"points": [{"attempts": 2, "dice": 4}]}
    published = (Published("M. Jiang, maxjiang216/dice_decathlon", {}, of_board("Jiang", "attempts=3 dice=8")),)
