"""Pig as a race, within a number of turns, and as a duel: every row against rationals."""

import pytest

from reference import matches
from support.match_tables import build, check_reachable, check_reference, check_rows, columns

SOLVERS = {"race": matches.race, "reach": matches.reach, "duel": matches.duel}

# Small enough for rationals. The points of a coin are even, so a target of G heads is 2 G.
SMALL = [
    ("pig_race", {"target": 30}),
    ("pig_race", {"target": 20, "dice": 2}),
    ("pig_race", {"target": 24, "sides": 2}),
    ("pig_race", {"target": 1}),
    ("pig_reach", {"target": 20, "turns": 5}),
    ("pig_reach", {"target": 16, "turns": 4, "dice": 2}),
    ("pig_reach", {"target": 11, "turns": 3, "sides": 4, "dice": 2}),
    ("pig_duel", {"target": 10}),
    ("pig_duel", {"target": 14, "sides": 4}),
    ("pig_duel", {"target": 8, "dice": 2}),
    ("pig_duel", {"target": 7, "dice": 2, "sides": 3}),
    ("pig_duel", {"target": 12, "sides": 2}),
    ("pig_duel", {"target": 16, "sides": 2, "dice": 2}),
    ("pig_duel", {"target": 1}),
]


def plain(name, sides=6, dice=1, target=100, turns=None):
    """(values, decisions) of the independent reference, in rationals; a coin's totals are even."""
    turn = matches.pig(sides, dice)
    turn = matches.Turn(build(name, sides=sides, dice=dice).unit_of_points, turn.start, turn.rolls)
    return SOLVERS[name.removeprefix("pig_")](turn, target, *([turns] if turns else []))


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_equals_the_reference(name, variant):
    check_rows(build(name, **variant), columns(name, **variant), plain(name, **variant)[1], 1e-15)


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_follows_from_the_rules_in_rationals(name, variant):
    check_reference(build(name, **variant), columns(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_a_record_is_reachable_if_play_reaches_it(name, variant):
    check_reachable(build(name, **variant), columns(name, **variant))
