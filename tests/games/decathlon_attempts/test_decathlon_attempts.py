"""Long jump, discus and javelin of the Decathlon: the printed value of the discus, and what may be frozen. The audit
compares the printed values of all events."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.contract_boards import build
from support.printed import of_board

DISCUS, JUMP = ({"event": event, "attempts": 1} for event in ("discus", "long_jump"))


class TestDecathlonAttempts(BoardRulesContract):
    game = "decathlon_attempts"
    match = "points"
    small: ClassVar = {"points": [DISCUS]}
    larger: ClassVar = {"points": [JUMP, DISCUS | {"event": "javelin"}]}
    published = (
        Published("M. Jiang, maxjiang216/dice_decathlon", DISCUS, of_board("Jiang", "event=discus attempts=1")),
    )


def test_values_that_may_be_frozen():
    rules = build("decathlon_attempts_points", {})
    assert rules.actions((1, 0, "throw", 0, "12266")) == [
        *("freeze 2266, throw 1", "freeze 2266, stop", "freeze 266, throw 2", "freeze 266, stop"),
        *("freeze 226, throw 2", "freeze 226, stop", "freeze 66, throw 3", "freeze 66, stop"),
        *("freeze 26, throw 3", "freeze 26, stop", "freeze 22, throw 3", "freeze 22, stop"),
        *("freeze 6, throw 4", "freeze 6, stop", "freeze 2, throw 4", "freeze 2, stop"),
    ]
    assert "invalid" in rules.why_missing((1, 0, "throw", 6, "1135"))
    assert rules.afterstate((2, 7, "throw", 4, "246"), "freeze 46, stop") == (1, 14)
