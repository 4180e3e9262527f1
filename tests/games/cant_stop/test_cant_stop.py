"""Can't Stop for one player: a position solved by hand, which columns can be climbed, and how ties are marked."""

from typing import ClassVar

import pytest

from dicebase.tables.names import find_table
from support import grids
from support.contract import BoardRulesContract, Published
from support.contract_boards import build
from support.faults import change, put, refused, rewrite

TINY = {"sides": 2, "shortest": 1}


class TestCantStop(BoardRulesContract):
    game = "cant_stop"
    match = "turns"
    small: ClassVar = {"turns": [TINY | {"goal": 1}]}
    larger: ClassVar = {"turns": [TINY, {"sides": 2, "shortest": 2, "goal": 2}]}
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


def test_both_pairs_of_one_sum_climb_two_squares():
    rules = build("cant_stop_turns", {})
    assert rules.afterstate(("000", "000", "1212"), "climb 3 3") == ("climb", "000", "020")


@pytest.mark.parametrize(
    ("called", "where"),
    [
        (False, lambda rows, i: rows[i]["undecided"] and rows[i]["regret"] == 0),
        (True, lambda rows, i: rows[i]["probability"] == 1 and not rows[i]["undecided"]),
    ],
    ids=["a tie of doubles called proved", "the only best action called undecided"],
)
def test_ties_must_be_marked_as_proved_or_undecided(tmp_path, called, where):
    table = find_table("cant_stop_turns")
    files = grids.solved(table, [table.variant(TINY | {"goal": 2}, {}, "here")], tmp_path, {})
    rewrite(files.actions, change("undecided", put(called), where))
    assert f"has undecided = {called}, which contradicts the optimal actions" in refused(files)
