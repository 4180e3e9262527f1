"""Pig and Ten Thousand as race, reach and duel: rows against rationals and a second program."""

import numpy as np
import pytest

from dicebase.solvers.turns.duel import solve_duel
from dicebase.tabulate.turn_positions import Positions
from reference import matches
from reference.matches_ten_thousand import ten_thousand
from support.match_tables import build, check_reachable, check_reference, check_rows, columns
from support.turns_with_references import compiled_pig, compiled_ten_thousand

# Small enough for rationals. The points of a coin are even, so a target of G heads is 2 G.
PIG = [
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
FIVE_DICE = [
    ("ten_thousand_race", {"target": 400}),
    ("ten_thousand_race", {"target": 50}),
    ("ten_thousand_reach", {"target": 400, "turns": 3}),
    ("ten_thousand_duel", {"target": 300}),
]
# Matches compared with every choice of dice; the named rules have three dice, as five are too many for rationals.
BY_RULES = [
    ("ten_thousand_race", {"target": 200}),
    ("ten_thousand_reach", {"target": 250, "turns": 2}),
    ("ten_thousand_race", {"target": 500, "rules": "pocket"}),
    ("ten_thousand_reach", {"target": 450, "turns": 3, "rules": "pocket"}),
    ("ten_thousand_duel", {"target": 150, "rules": "pocket"}),
    ("ten_thousand_race", {"target": 500, "rules": "strict"}),
    ("ten_thousand_reach", {"target": 450, "turns": 3, "rules": "strict"}),
    ("ten_thousand_duel", {"target": 250, "rules": "strict"}),
    ("ten_thousand_duel", {"target": 150, "rules": "last"}),
]
SOLVERS = {"race": matches.race, "reach": matches.reach, "duel": matches.duel}


def plain(name, sides=6, dice=1, target=100, turns=None):
    """The decisions of the independent reference, in rationals; a coin's totals are even."""
    game, match = name.rsplit("_", 1)
    turn = ten_thousand()
    if game == "pig":
        pig = matches.pig(sides, dice)
        turn = matches.Turn(build(name, sides=sides, dice=dice).unit_of_points, pig.start, pig.rolls)
    return SOLVERS[match](turn, target, *([turns] if turns else []))[1]


@pytest.mark.parametrize(("name", "variant"), [*PIG, *FIVE_DICE], ids=str)
def test_every_row_equals_the_reference(name, variant):
    check_rows(build(name, **variant), columns(name, **variant), plain(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), [*PIG, *BY_RULES], ids=str)
def test_every_row_follows_from_the_rules_in_rationals(name, variant):
    check_reference(build(name, **variant), columns(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), [*PIG, *FIVE_DICE[:3], *BY_RULES[2:]], ids=str)
def test_a_record_is_reachable_if_play_reaches_it(name, variant):
    check_reachable(build(name, **variant), columns(name, **variant))


@pytest.mark.parametrize("name", ["race", "reach", "duel"])
def test_records_are_unreachable_if_no_turn_can_be_lost(name):
    variant = {"rules": "always", "target": 300, **({"turns": 4} if name == "reach" else {})}
    rows = columns(f"ten_thousand_{name}", **variant)
    check_reachable(build(f"ten_thousand_{name}", **variant), rows)
    assert name == "race" or not rows["reachable"].all()


@pytest.mark.slow
def test_all_records_of_a_duel_with_five_dice_are_reachable():
    check_reachable(build("ten_thousand_duel", target=250), columns("ten_thousand_duel", target=250))


@pytest.mark.slow
def test_the_duel_to_10000_has_the_values_of_the_page():
    """Check what docs/games/duels.md says about 5000 and 10,000 points, a lead of 150 points, and Pig to 200."""
    V = solve_duel(compiled_ten_thousand(), 10_000)
    said = {100: ("0.534228", "0.499499"), 0: ("0.524318", "0.499557")}  # by units banked at the start
    for start, numbers in said.items():
        assert tuple(f"{V[start, start + points]:.6f}" for points in (0, 3)) == numbers
        assert abs(V[start, start:] - 0.5).argmin() == 3
    assert f"{V[0, 0]:.12f}" == "0.524318158296"
    game, turn = build("ten_thousand_duel"), compiled_ten_thousand()
    positions = Positions(game, turn, V.ravel())
    assert 200 * sum(int(np.searchsorted(positions.total, need)) for need in range(1, 201)) == 19_310_000
    P = solve_duel(compiled_pig(), 200)[0]
    assert (f"{P[0]:.6f}", f"{P[4]:.6f}", abs(P - 0.5).argmin()) == ("0.521529", "0.500736", 4)
