"""Pig as a race, within so many turns, and as a duel: every row against rationals, and what is printed of it."""

from fractions import Fraction

import pytest

from reference import matches
from support.contract import Published
from support.match_tables import build, check_reachable, check_reference, check_rows, columns, starts

SOLVERS = {"race": matches.race, "reach": matches.reach, "duel": matches.duel}

# Small enough for rationals; a coin counts by twos, so its target G is 2 G here.
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
    ("pig_duel", {"target": 1}),
]


def plain(name, sides=6, dice=1, target=100, turns=None):
    """(values, decisions) of the blind reference, in rationals; a coin's totals are even."""
    turn = matches.pig(sides, dice)
    turn = matches.Turn(build(name, sides=sides, dice=dice).unit_of_points, turn.start, turn.rolls)
    return SOLVERS[name.removeprefix("pig_")](turn, target, *([turns] if turns else []))


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_is_that_of_the_reference(name, variant):
    check_rows(build(name, **variant), columns(name, **variant), plain(name, **variant)[1], 1e-15)


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_follows_from_the_rules_in_rationals(name, variant):
    check_reference(build(name, **variant), columns(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_a_record_is_reachable_where_play_comes_to_it(name, variant):
    check_reachable(build(name, **variant), columns(name, **variant))


def test_some_records_are_not_reachable():
    # Nobody banks 1 point; two dice score 4 or more.
    rows = starts(columns("pig_duel", target=8, dice=2))
    assert {int(me) for me in rows["me"][rows["reachable"]]} == {0, 4, 5, 6, 7}
    rows = starts(columns("pig_reach", target=20, turns=5))
    assert not rows["reachable"][(rows["turns_left"] == 5) & (rows["banked"] > 0)].any()


# --- numbers -----------------------------------------------------------------------------------------------------

PIGLET = ["2/3", "4/7", "6/11", "2236/4165", "1026/1925", "275848876/521145625"]
DUELS = {2: "6/7", 5: "216/271", 10: "7776/10961", 20: "15116544/24557443", 30: "52242776064/91990525991"}
TWO_DICE = {2: "36/47", 5: "1296/1703", 8: "648/901", 10: "46656/68491"}
RACES = {2: "6/5", 7: "1296/863", 10: "7776/4591", 20: "15116544/5675645", 25: "13060694016/3913449119"}
TWO_DICE_RACES = {4: "36/25", 6: "432/289", 10: "46656/24821", 16: "139968/58513"}

BY_FRACTION = [
    *(Published("coins", {"sides": 2, "target": 2 * g}, Fraction(v)) for g, v in enumerate(PIGLET, start=1)),
    *(Published("pig_duel", {"target": target}, Fraction(v)) for target, v in DUELS.items()),
    *(Published("pig_duel", {"target": target, "dice": 2}, Fraction(v)) for target, v in TWO_DICE.items()),
    *(Published("pig_race", {"target": target}, Fraction(v)) for target, v in RACES.items()),
    *(Published("pig_race", {"target": target, "dice": 2}, Fraction(v)) for target, v in TWO_DICE_RACES.items()),
]


@pytest.mark.parametrize("known", BY_FRACTION, ids=lambda k: f"{k.source} {k.variant}")
def test_the_start_is_worth_the_exact_fraction(known):
    value = columns(known.source.replace("coins", "pig_duel"), **known.variant)["value"][0]
    assert abs(Fraction(value) / known.value - 1) <= Fraction(2, 10**15)


# Of the blind reference, in doubles by another method; the last digits of longer matches are rounding.
AT_FULL_PRECISION = [
    ("pig_duel", {"target": 50}, 0.5461508441667879),
    ("pig_duel", {}, 0.5305927252737469),
    ("pig_duel", {"target": 50, "dice": 2}, 0.53755898214817),
    ("pig_race", {"target": 50}, 6.432579103434624),
    ("pig_race", {}, 12.545232351955441),
    ("pig_race", {"target": 50, "dice": 2}, 7.457164024433905),
    ("pig_race", {"dice": 2}, 16.92283058038709),
]


@pytest.mark.parametrize(("name", "variant", "value"), AT_FULL_PRECISION, ids=str)
def test_the_start_is_worth_what_two_programs_say(name, variant, value):
    assert columns(name, **variant)["value"][0] == pytest.approx(value, rel=2e-13)
