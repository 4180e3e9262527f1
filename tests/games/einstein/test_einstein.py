"""EinStein würfelt nicht!: one stone, for which no die is needed, endgames, and which stones move."""

from typing import ClassVar

import pytest

from dicebase.vocabulary import ConfigurationError
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, check_stated, solved

THREE = {"size": 3, "stones": 3}


class TestEinstein(BoardRulesContract):
    game = "einstein"
    match = "duel"
    small: ClassVar = {"duel": [{"size": 2}, {"size": 4}, {"size": 2, "endgame": 2}]}
    larger: ClassVar = {"duel": [{"size": 5}, THREE | {"endgame": 3}]}
    published = (
        Published("the first move comes to the other corner", {"size": 2}, 1),
        # The first player moves to the right, and captures a stone that then moves to the middle or the right column.
        # Otherwise the player moves diagonally, next to the corner, where the opponent, two moves away, cannot capture.
        Published("three squares a side, by hand", {"size": 3}, 1),
    )


@pytest.mark.slow
def test_values_with_three_stones_are_those_of_separately_stated_rules():
    check_stated("einstein_duel", THREE)


def test_an_endgame_has_every_placement_of_at_most_its_number_of_stones():
    # Each stone has 8 squares, all but its corner. One stone each: 8 x 8 pairs of squares less 7 equal ones, 57. Two
    # stones and one: 8 x 7 x 8 placements less 2 x 7 x 7 with two stones on one square, 350, for 3 pairs of numbers;
    # a player with two stones throws one of 3 numbers, a player with one stone throws none.
    states = solved("einstein_duel", THREE | {"endgame": 3}).values
    assert len(states) == 57 + 350 * 3 * (3 + 1)
    # All placements are equally likely; without a throw, a placement has the weight of three throws.
    rules = build("einstein_duel", THREE | {"endgame": 3})
    assert sum(weight for weight, *_ in rules.outcomes(rules.start())) == 57 * 3 + 350 * 3 * 2 * 3
    for missing in (("2.......a", 1), ("1.......a", 2), ("1.......c", 1)):
        assert rules.why_missing(missing) == "a player's last stone is written 1 or a, and moves with roll=1"
    # With one stone each the number thrown does not matter.
    one = solved("einstein_duel", {"size": 3}).values
    assert all(states[state] == value for state, value in one.items())


def test_any_stone_is_removed():
    rules = build("einstein_duel", THREE)
    assert rules.actions((".1.2a....", 1)) == ["1 right", "1 down", "1 diagonally"]
    assert rules.afterstate((".1.2a....", 1), "1 down") == "...21...."
    assert rules.afterstate((".1.2a....", 2), "2 right") == ".1..2...."
    assert list(rules.outcomes("...21....")) == [(1, None, 1, 1)]
    # The opponent sees the board from the other corner; a lone stone has the number 1, and no die is thrown.
    assert [state for _, state, *_ in rules.outcomes("1..c...b.")] == [(".2...3..a", roll) for roll in (1, 2, 3)]
    assert [state for _, state, *_ in rules.outcomes("2..3....b")] == [("1....c..b", 1)]


def test_stones_that_fill_no_corner_are_refused():
    for variant in ({"stones": 2}, {"size": 2, "stones": 3}):
        with pytest.raises(ConfigurationError, match="do not fit into a corner"):
            build("einstein_duel", variant)
    with pytest.raises(ConfigurationError, match="endgame: 3 is not 0 or a number from 2 to 2"):
        build("einstein_duel", {"endgame": 3})
