"""Ten Thousand as a race, within so many turns, and as a duel: rows against rationals, values of a second program."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dicebase.solvers.reference import Solution
from dicebase.solvers.turns.duel import solve_duel
from dicebase.tabulate.turn_positions import Positions
from reference import matches
from reference.matches_ten_thousand import ten_thousand
from support.match_tables import at, build, check_reachable, check_reference, check_rows, columns, starts
from support.turns_with_references import compiled_pig, compiled_ten_thousand

SMALL = [
    ("ten_thousand_race", {"target": 400}),
    ("ten_thousand_race", {"target": 50}),
    ("ten_thousand_reach", {"target": 400, "turns": 3}),
    ("ten_thousand_duel", {"target": 300}),
]
# Choices of dice included; three dice where five are too many for rationals.
BY_RULES = [
    ("ten_thousand_race", {"target": 200}),
    ("ten_thousand_reach", {"target": 250, "turns": 2}),
    ("ten_thousand_race", {"target": 500, "rules": "pocket"}),
    ("ten_thousand_reach", {"target": 450, "turns": 3, "rules": "pocket"}),
    ("ten_thousand_duel", {"target": 150, "rules": "pocket"}),
    ("ten_thousand_race", {"target": 500, "rules": "strict"}),
    ("ten_thousand_reach", {"target": 450, "turns": 3, "rules": "strict"}),
    ("ten_thousand_duel", {"target": 250, "rules": "strict"}),
]
SOLVERS = {"race": matches.race, "reach": matches.reach, "duel": matches.duel}


@pytest.mark.parametrize(("name", "variant"), SMALL, ids=str)
def test_every_row_is_that_of_the_reference(name, variant):
    _, decisions = SOLVERS[name.removeprefix("ten_thousand_")](ten_thousand(), *variant.values())
    check_rows(build(name, **variant), columns(name, **variant), decisions, 1e-15)


@pytest.mark.parametrize(("name", "variant"), BY_RULES, ids=str)
def test_every_row_follows_from_the_rules_in_rationals(name, variant):
    check_reference(build(name, **variant), columns(name, **variant), 1e-15)


@pytest.mark.parametrize(("name", "variant"), [*SMALL[:3], *BY_RULES[2:]], ids=str)
def test_a_record_is_reachable_where_play_comes_to_it(name, variant):
    check_reachable(build(name, **variant), columns(name, **variant))


@pytest.mark.parametrize("name", ["race", "reach", "duel"])
def test_who_never_loses_a_turn_cannot_wait(name):
    variant = {"rules": "always", "target": 300, **({"turns": 4} if name == "reach" else {})}
    rows = columns(f"ten_thousand_{name}", **variant)
    check_reachable(build(f"ten_thousand_{name}", **variant), rows)
    assert name == "race" or not rows["reachable"].all()


@pytest.mark.slow
def test_all_records_of_a_duel_with_five_dice_are_reachable():
    check_reachable(build("ten_thousand_duel", target=250), columns("ten_thousand_duel", target=250))


def test_all_multiples_of_50_are_reachable_but_not_at_once():
    rows = starts(columns("ten_thousand_reach", target=2500, turns=3))
    # One turn can bank any multiple of 50.
    assert rows["reachable"][(rows["turns_left"] < 3)].all()
    assert (rows["reachable"] == (rows["banked"] == 0))[rows["turns_left"] == 3].all()


# --- numbers -----------------------------------------------------------------------------------------------------

BY_FRACTION = [
    ("duel", 50, "324/349"),
    ("duel", 100, "69984/76829"),
    ("duel", 150, "34992/39937"),
    ("duel", 250, "157464/204583"),
    ("duel", 300, "66119763456/93145836919"),
    ("race", 50, "324/299"),
    ("race", 150, "34992/30047"),
    ("race", 250, "157464/110345"),
    ("race", 300, "13370667280086808773/7922276060228725585"),
]


@pytest.mark.parametrize(("match", "target", "fraction"), BY_FRACTION)
def test_the_start_is_worth_the_exact_fraction(match, target, fraction):
    value = columns(f"ten_thousand_{match}", target=target)["value"][0]
    assert abs(Fraction(value) / Fraction(fraction) - 1) <= Fraction(2, 10**15)


# Of the blind reference, in doubles by another method; the last digits of longer matches are rounding.
AT_FULL_PRECISION = [
    ("race", 500, 2.376235996715904),
    ("race", 600, 2.772296997208176),
    ("race", 1000, 4.099689507431196),
    ("race", 2000, 7.522756311760824),
    ("race", 5000, 17.74044873887953),
    ("duel", 500, 0.6153496966198286),
    ("duel", 1000, 0.5713097789351643),
    ("duel", 2000, 0.5535808861454366),
]


@pytest.mark.parametrize(("match", "target", "value"), AT_FULL_PRECISION)
def test_the_start_is_worth_what_two_programs_say(match, target, value):
    assert columns(f"ten_thousand_{match}", target=target)["value"][0] == pytest.approx(value, rel=1e-13)


WITHIN = {
    1000: [0.13117798117326487, 0.2884134519604941, 0.4877595251655275, 0.6939829968086935, 0.8474917692431579],
    2000: [0.011485133785831471, 0.03733774744858381, 0.09085736112549625, 0.17879638861199437, 0.30181008011121196],
}


@pytest.mark.parametrize("target", WITHIN)
def test_the_chance_within_so_many_turns(target):
    rows = starts(columns("ten_thousand_reach", target=target, turns=5))
    ours = rows["value"][rows["banked"] == 0]
    assert ours == pytest.approx(WITHIN[target], rel=1e-13)


def test_two_programs_enclose_the_long_duel():
    """0.5535808861454012 to ...4719 from both sides, by value iteration."""
    assert 0.5535808861454012 <= columns("ten_thousand_duel", target=2000)["value"][0] <= 0.5535808861454719


@pytest.mark.slow
def test_the_duel_of_the_games_name():
    """What docs/games/duels.md says of 5000 and 10,000 points, and of 150 points in advance; Pig to 200 beside it."""
    V = solve_duel(compiled_ten_thousand(), 10_000)
    said = {100: ("0.534228", "0.499499"), 0: ("0.524318", "0.499557")}  # by units banked at the start
    for start, numbers in said.items():
        assert tuple(f"{V[start, start + points]:.6f}" for points in (0, 3)) == numbers
        assert abs(V[start, start:] - 0.5).argmin() == 3
    assert f"{V[0, 0]:.12f}" == "0.524318158296"
    positions = Positions(build("ten_thousand_duel"), compiled_ten_thousand(), V)
    assert 200 * sum(int(np.searchsorted(positions.total, need)) for need in range(1, 201)) == 19_310_000
    P = solve_duel(compiled_pig(), 200)[0]
    assert (f"{P[0]:.6f}", f"{P[4]:.6f}", abs(P - 0.5).argmin()) == ("0.521529", "0.500736", 4)


# --- choosing dice -----------------------------------------------------------------------------------------------


def keeps(name, record, total, dice, **variant):
    """{keep: the chance to win, or the like} of a roll, from the rows of the table and the rules of the match."""
    game, rows = build(name, **variant), columns(name, **variant)
    solution = Solution(game)
    state = (*record, total, len(dice), dice)
    names = [c.name for c in game.columns]
    for action in game.actions(state):
        for outcome in game.outcomes(game.afterstate(state, action)):
            after = outcome.state
            if after is not None and after not in solution.value:
                solution.value[after] = Fraction(at(rows, **dict(zip(names, after, strict=True)))["value"])
    return {action.removeprefix("keep "): float(solution.q(state, action)) for action in game.actions(state)}


def test_a_roll_is_worth_its_best_keep():
    """Rolling the last two dice at (0, 0): 36 rolls, each with its best keep, are what the row says."""
    V = columns("ten_thousand_duel", target=1000)
    row = at(V, me=0, opponent=0, turn_total=300, dice=2)
    ways = 0.0
    for roll in product("123456", repeat=2):
        dice = "".join(sorted(roll))
        if set(dice) & set("15"):
            ways += max(keeps("ten_thousand_duel", (0, 0), 300, dice, target=1000).values())
        else:
            ways += 1 - at(V, me=0, opponent=0, turn_total=0, dice=5)["value"]
    q = ways / 36
    banked = 1 - at(V, me=0, opponent=300, turn_total=0, dice=5)["value"]
    assert row["value"] == pytest.approx(max(q, banked), abs=1e-15)
    assert row["margin"] == pytest.approx(abs(q - banked), abs=1e-15)
    assert row["action"] == ("roll" if q > banked else "bank")


def test_positions_are_those_of_the_dice():
    rows = columns("ten_thousand_duel", target=500)
    first = (rows["me"] == 0) & (rows["opponent"] == 0)
    found = set(zip(rows["turn_total"][first].tolist(), rows["dice"][first].tolist(), strict=True))
    # 50 points are one 5; 100 two of them, one after the other or at once, or a 1. Five 5s in a row bring new dice.
    assert (50, 4) in found and (50, 3) not in found and {(100, 3), (100, 4)} <= found and (100, 2) not in found
    assert (0, 5) in found and len([t for t, _ in found if t == 0]) == 1
    assert min(t for t, dice in found if dice == 5 and t) == 250
    assert np.isnan(rows["margin"][rows["turn_total"] == 0]).all()
