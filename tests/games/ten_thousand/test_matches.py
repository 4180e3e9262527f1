"""Ten Thousand as a race, within a number of turns, and as a duel: rows against rationals and a second program."""

import numpy as np
import pytest

from dicebase.solvers.turns.duel import solve_duel
from dicebase.tabulate.turn_positions import Positions, RecordValues
from reference import matches
from reference.matches_ten_thousand import ten_thousand
from support.match_tables import build, check_reachable, check_reference, check_rows, columns
from support.turns_with_references import compiled_pig, compiled_ten_thousand

SMALL = [
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


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_equals_the_reference(name, variant):
    _, decisions = SOLVERS[name.removeprefix("ten_thousand_")](ten_thousand(), *variant.values())
    check_rows(build(name, **variant), columns(name, **variant), decisions, 1e-15)


@pytest.mark.parametrize(("name", "variant"), BY_RULES, ids=str)
def test_every_row_follows_from_the_rules_in_rationals(name, variant):
    check_reference(build(name, **variant), columns(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), [*SMALL[:3], *BY_RULES[2:]], ids=str)
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
    positions = Positions(game, turn, RecordValues(game, turn, V.ravel()))
    assert 200 * sum(int(np.searchsorted(positions.total, need)) for need in range(1, 201)) == 19_310_000
    P = solve_duel(compiled_pig(), 200)[0]
    assert (f"{P[0]:.6f}", f"{P[4]:.6f}", abs(P - 0.5).argmin()) == ("0.521529", "0.500736", 4)
