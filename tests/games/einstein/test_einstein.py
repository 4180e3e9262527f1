"""EinStein würfelt nicht!: one stone, where nothing is thrown, and another solver, by the squares of stones."""

from typing import ClassVar

import pyarrow.parquet as pq
import pytest

from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError
from reference.einstein import Einstein
from support import grids
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, check_same

THREE = {"size": 3, "stones": 3}


class TestEinstein(BoardRulesContract):
    game = "einstein"
    match = "duel"
    small: ClassVar = {"duel": [{"size": 2}, {"size": 4}]}
    published = (
        Published("the first move comes to the other corner", {"size": 2}, 1),
        # He moves to the right. From the middle or from his right the other one can be taken; else he moves diagonally,
        # where he cannot be taken, and is one square from the corner, the other one two.
        Published("three squares a side, by hand", {"size": 3}, 1),
    )


def test_every_value_with_one_stone_is_that_of_another_solver():
    other = Einstein(5, 1)

    def value(state):
        mine, theirs = (divmod(state[0].index(stone), 5) for stone in "1a")
        return other.after_roll(0, (mine,), (theirs,), 0)

    check_same("einstein_duel", {"size": 5}, value, 0)


@pytest.mark.slow
def test_three_stones_are_worth_what_another_solver_says(tmp_path):
    other = Einstein(3, 3)

    def value(state):
        board, roll = state
        places = [divmod(board.index(stone), 3) if stone in board else None for stone in "123abc"]
        return other.after_roll(0, tuple(places[:3]), tuple(places[3:]), roll - 1)

    game, table = build("einstein_duel", THREE), find_table("einstein_duel")
    rows = pq.read_table(grids.solved(table, [table.variant(THREE, {}, "here")], tmp_path, {}).rows).to_pylist()
    found = {tuple(row[c.name] for c in game.columns): row["value"] for row in rows}
    starts = [found[o.state] for o in game.outcomes(game.start())]
    assert sum(starts) / len(starts) == pytest.approx(other.value(), abs=1e-13)
    for state in [*found][::9]:
        assert found[state] == pytest.approx(value(state), abs=1e-13), state


def test_the_next_higher_and_the_next_lower_stone_move():
    rules = build("einstein_duel", {"size": 5, "stones": 6})
    board = "1...." + "....." + "..5.a" + "...6." + "....."
    # As in the example of Bonnet and Viennot: 1, 5 and 6 are left, and 2, 3 and 4 let 1 or 5 move.
    ways = {roll: {action[0] for action in rules.actions((board, roll))} for roll in range(1, 7)}
    assert ways == {1: {"1"}, 2: {"1", "5"}, 3: {"1", "5"}, 4: {"1", "5"}, 5: {"5"}, 6: {"6"}}


def test_any_stone_is_removed():
    rules = build("einstein_duel", THREE)
    assert rules.actions((".1.2a....", 1)) == ["1 right", "1 down", "1 diagonally"]
    assert rules.afterstate((".1.2a....", 1), "1 down") == "...21...."
    assert rules.afterstate((".1.2a....", 2), "2 right") == ".1..2...."
    (won,) = rules.outcomes("...21....")
    assert won.state is None and won.reward == 1
    # The other one sees the board from his corner.
    assert [o.state for o in rules.outcomes("1.......b")] == [("2.......a", roll) for roll in (1, 2, 3)]


def test_stones_that_fill_no_corner_are_refused():
    for variant in ({"stones": 2}, {"size": 2, "stones": 3}):
        with pytest.raises(ConfigurationError, match="fill no corner"):
            build("einstein_duel", variant)
