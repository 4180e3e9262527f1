"""Can't Stop for one player: a position solved by hand, and which columns can be climbed."""

from typing import ClassVar

from support.contract import BoardRulesContract, Published
from support.contract_boards import build

TINY = {"sides": 2, "shortest": 1}


class TestCantStop(BoardRulesContract):
    game = "cant_stop"
    match = "turns"
    small: ClassVar = {"turns": [TINY | {"goal": 1}]}
    larger: ClassVar = {"turns": [TINY, {"sides": 2, "shortest": 2, "goal": 2}, {"sides": 3, "shortest": 1, "goal": 1}]}
    published = (
        # Two of four coins show the same side, so every throw completes the column of 2 or of 4, each of one square.
        Published("one column of three, by hand", TINY | {"goal": 1}, 1),
    )


def test_a_pair_is_climbed_as_far_as_markers_and_squares_go():
    rules = build("cant_stop_turns", {"sides": 6, "shortest": 3})
    start = "0" * 11
    assert rules.actions((start, start, "1126")) == ["climb 2 8", "climb 3 7"]
    # Two markers are out, on 6 and on 7: the third one goes to one of the other columns.
    climbed = "00001100000"
    assert rules.actions((start, climbed, "1126")) == ["climb 2", "climb 8", "climb 3 7"]
    # A column that is complete is closed.
    complete = "30000000000"
    assert rules.actions((complete, complete, "1112")) == ["climb 3"]
    assert rules.actions((start, climbed, "-")) == ["throw", "stop"] and rules.actions((start, start, "-")) == ["throw"]
