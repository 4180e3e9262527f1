"""House rules of Ten Thousand: each switch by hand, and the named rule sets by a scorer made from their words."""

import re
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from dicebase.audit.record import read
from dicebase.games.ten_thousand import Rules
from dicebase.matches.duels.duel import DuelOfTurns
from dicebase.matches.turns.long_run import LongRun
from dicebase.matches.turns.race import RaceOfTurns
from dicebase.matches.turns.turn import BestTurn
from dicebase.solvers.turns.compiled import compile_turn
from dicebase.solvers.turns.continuation import FarTotals
from dicebase.solvers.turns.duel import solve_duel
from dicebase.solvers.turns.exact_turn import solve_exactly
from dicebase.solvers.turns.race import solve_race
from dicebase.tables.writer import Rows
from dicebase.tabulate import turns as turn_tables
from dicebase.tabulate.turns import turn as tabulate_turn
from dicebase.vocabulary import ConfigurationError, Definition, check_rules
from reference import house_rules
from support.contract import Published, TurnRulesContract
from support.grids import DEFAULT
from support.printed import agrees

NAMED = DEFAULT["definitions"]["ten_thousand"]["rules"]
ONES = {"dice": 1, "combinations": {"1": 100, "5": 50}}
TWO = {"dice": 2, "combinations": {"1": 100, "5": 50, "aa": 300}}
NONE = {**TWO, "hot_dice": "none"}
LOADED = {**ONES, "faces": {1: 3, 2: 1, 3: 1, 4: 1, 5: 3, 6: 1}}
FIRST = {**LOADED, "combinations": {"1": 100, "5": 50, "nothing_first": 100}}
SMALL = {"first": FIRST, "two": TWO, "none": NONE, "loaded": LOADED, "any": {**TWO, "keep": "any"}}


def rules(table: dict, **switches) -> Rules:
    return Rules(Definition("mine", {**table, **switches}))


def kept(table: dict, dice: str, **switches) -> set:
    """{(dice kept, points, next mode)} of a roll."""
    (roll,) = (r for r in rules(table, **switches).rolls(0, len(dice)) if r.dice == dice)
    return {(o.keep, o.gain, o.mode) for o in roll.options}


class TestHouseRules(TurnRulesContract):
    game = "ten_thousand"
    definitions = MappingProxyType({"rules": SMALL | {"crocce_mordecki": NAMED["crocce_mordecki"]}})
    small = tuple({"rules": name} for name in SMALL)
    published = (
        # A 1 and a 5 have 3 of 10 ways each. The player banks from 150 points on. At 100 another roll is worth
        # 3/10 (200 + 150) = 105, at 50 it is worth 3/10 (150 + 105) = 76.5, at the start 3/10 (105 + 76.5).
        Published("loaded die, by hand", {"rules": "loaded"}, Fraction(3, 10) * Fraction(363, 2)),
        # A first roll without a 1 or a 5 scores 100 points as well, and the value at 100 is 105.
        Published("first roll of its own, by hand", {"rules": "first"}, Fraction(7 * 105, 10) + Fraction(3 * 153, 20)),
    )


# --- every switch ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switch", "four", "five", "six"),
    [("fixed", None, None, 400), ("doubled", 400, 800, 1600), ("added", 400, 600, 800)],
)
def test_further_dice_of_a_kind(switch, four, five, six):
    table = {"dice": 6, "combinations": {"222": 200}, "of_a_kind": switch, "keep": "any"}
    # With `fixed`, a fourth 2 scores nothing, and six 2s score as two times three of a kind.
    for many, points in ((4, four), (5, five), (6, six)):
        gains = {keep: gain for keep, gain, _ in kept(table, "2" * many)}
        assert gains.get("2" * many) == points and gains["222"] == 200


def test_a_roll_without_points_may_score():
    table = {"dice": 2, "combinations": {"1": 100, "nothing": 500}}
    assert kept(table, "23") == {("23", 500, 2)} and not kept(table, "2") and kept(table, "13") == {("1", 100, 1)}
    # Two dice never lose: w = 25/36 (500 + w) + 10/36 100 + 1/36 (200 + w), hence w = 1370.
    assert FarTotals(rules(table)).worth == {(0, 2): 1370, (0, 1): 0}
    assert FarTotals(rules(table)).ratio((0, 1)) == Fraction(100 + 1370, 5)
    # Beyond the stored totals `nothing` scores as before; `nothing_first` does not matter there.
    table["combinations"]["nothing_first"] = 50
    far = turn_tables.complete(BestTurn(rules(table)))
    assert far.beyond((10_000, "23")) == {"keep 23, bank": 10_500, "keep 23, roll 2": 11_870}


def test_a_first_roll_without_points_may_score():
    made = rules({"dice": 2, "combinations": {"1": 100, "nothing_first": 500}})
    first, later, single = ({r.dice: {o[:] for o in r.options} for r in made.rolls(0, mode)} for mode in made.modes)
    assert made.modes == (0, 2, 1) and first == {dice: ways or {(500, 2, dice)} for dice, ways in later.items()}
    assert not later["23"] and later["12"] == {(100, 1, "1")} and not single["2"]
    # The first roll cannot be lost, but any later one can: no total is safe.
    assert FarTotals(made).worth[0, 2] == 0
    # Variants with such a roll and variants without one may share a slice: their columns are the same.
    for match in (BestTurn, LongRun, lambda rules: RaceOfTurns(rules, 200), lambda rules: DuelOfTurns(rules, 200)):
        assert match(made).columns == match(rules({"dice": 2, "combinations": {"1": 100}})).columns


def worth_of_a_turn(table: dict, **switches) -> Fraction:
    return next(tabulate_turn(BestTurn(rules(table, **switches)))).exact


def test_hot_dice_that_must_be_rolled():
    # To roll two dice at t is worth s t + w. If one die scores, the player banks: s = (8 s + 16) / 36 and
    # 28 w = 2100 s + 1200.
    s, w = Fraction(4, 7), Fraction(600, 7)
    made = FarTotals(rules(TWO, hot_dice="forced"))
    assert made.lines == {(0, 2): (s, w), (0, 1): (1, 0)}
    # At 50 points it is better to roll the other die: (150 s + w + 100 s + w) / 6 = 1100/21.
    scored = 6 * (300 * s + w) + 2 * (150 * s + w) + 8 * 100 + 8 * Fraction(1100, 21)
    assert worth_of_a_turn(TWO, hot_dice="forced") == scored / 36
    assert kept(TWO, "11", hot_dice="forced") == kept(TWO, "11")
    game = BestTurn(rules(TWO, hot_dice="forced"))
    assert [*game.actions((0, "11"))] == ["keep 11, roll 2"]
    assert [*game.actions((0, "12"))] == ["keep 1, bank", "keep 1, roll 1"]


def test_a_least_number_of_points_to_open():
    # A race to 150 with one die, and 100 points to open. From 100 a third of all turns end it, so it takes 3 turns.
    # A player who has banked nothing banks 100 points, but must roll with 50:
    # r = 1/6 (1 + 3) + 1/6 (1/6 1 + 1/6 (1 + 3) + 4/6 (1 + r)) + 4/6 (1 + r).
    race = solve_race(compile_turn(rules(ONES, opening=100)), 150)
    assert race == pytest.approx([57 / 8, race[1], 3], abs=1e-14)
    game = RaceOfTurns(rules(ONES, opening=100), 150)
    assert game.actions((0, 50, 1)) == ("roll",) and game.actions((0, 100, 1)) == ("bank", "roll")
    assert game.actions((50, 50, 1)) == ("bank", "roll") and not game.reachable((50,)) and game.reachable((100,))
    # The table of a larger target does not answer for a smaller target.
    assert not game.answered_in(RaceOfTurns(rules(ONES, opening=100), 200)) and "must open" in game.why_not_answered
    assert RaceOfTurns(rules(ONES, least_bank=100), 150).answered_in(RaceOfTurns(rules(ONES, least_bank=100), 200))


def long_run(table: dict, **switches) -> Rows:
    return next(turn_tables.long_run(LongRun(rules(table, **switches))))


def test_lost_turns_in_a_row_cost_points_in_the_long_run():
    # With one die the player banks any score: if a lost turn has the value b, a turn has the value 25 + 2/3 b. The
    # second loss in a row costs 100. The mean g and the relative value h after one loss satisfy g = 25 + 2/3 h and
    # h = 25 - 200/3 - g.
    rows = long_run(ONES, lost_in_row=[0, 100])
    assert rows.exact == Fraction(-5, 3)
    starts = [value for total, value in zip(rows.states["turn_total"], rows.states["value"], strict=True) if total == 0]
    assert starts == [float(Fraction(-5, 3)), float(Fraction(-125, 3))]
    # Without costs, or where every loss costs the same, each turn is played for its own sake.
    assert long_run(TWO).exact == worth_of_a_turn(TWO)
    assert long_run(ONES, lost_in_row=[60, 60]).exact == long_run(ONES, lost_in_row=[60]).exact == 25 - 40
    assert long_run(TWO, lost_in_row=[0, 0, 500]).exact < worth_of_a_turn(TWO)


def test_matches_with_falling_totals_are_refused_if_they_are_too_large():
    # A race to 150 is small: totals of 0, 50 and 100, with one lost turn or none, and at most 100 points in a turn.
    small = RaceOfTurns(rules(ONES, lost_in_row=[0, 100]), 150)
    assert small.why_not_solved == small.why_no_rows == ""
    many = DuelOfTurns(rules(ONES, lost_in_row=[0, 100]), 20_000).why_no_rows
    said = f"target: 20000 has {4 * 400 * 400 * 401 // 2:,} positions; 5,000,000 are stored"
    assert many == f"{said}, so give a target of at most 6750"  # 2 n^2 (n + 1) is 4,957,200 for n = 135
    assert "must be multiples of 50" in RaceOfTurns(rules(ONES, lost_in_row=[0, 75]), 150).why_not_solved
    assert "opening" in RaceOfTurns(rules(ONES, lost_in_row=[0, 50], opening=100), 150).why_not_solved


def test_the_faces_of_loaded_dice_may_be_strings_as_in_json():
    assert rules({**TWO, "faces": dict.fromkeys("123456", 1)}).rolls(0, 2) == rules(TWO).rolls(0, 2)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sides": 6}, ": 'sides' is not a rule"),
        ({"hotdice": "free"}, ": 'hotdice' is not a rule; did you mean 'hot_dice'?"),
        ({"keep": "some"}, ".keep: 'some' is not one of all_when_all_score, any, all"),
        ({"least_bank": -50}, ".least_bank: -50 is not a whole number from 0 to 10000"),
        ({"opening": 500, "hot_dice": "none"}, ".opening: needs hot_dice free or forced; with none, any turn is"),
        ({"piggyback": True}, ".piggyback: going on with the previous player's dice is not solved"),
        ({"lost_in_row": 500}, ".lost_in_row: 500 is not a list of up to 10 costs"),
        ({"lost_in_row": [0, 500, 100]}, ".lost_in_row[2]: 100 is not a whole number from 500 to 10000"),
        ({"source": "us \x1b[31m"}, ".source: 'us \\x1b[31m' is not a line of text"),
        ({"label": 5}, ".label: 5 is not a line of text"),
        ({"hot_dice": "hot"}, ".hot_dice: 'hot' is not one of free, forced, none"),
        ({"of_a_kind": True}, ".of_a_kind: True is not one of fixed, doubled, added"),
        ({"faces": {1: 2}}, ".faces: needs the weight of each face from 1 to 6"),
        ({"faces": {**dict.fromkeys(range(1, 7), 1), 7: 1}}, ".faces: needs the weight of each face"),
        ({"faces": {**dict.fromkeys(range(1, 6), 1), 6: 0}}, ".faces.6: 0 is not a whole number from 1 to 1000"),
        ({"combinations": {"aacc": 1}}, ".combinations: 'aacc' is not a combination"),
        ({"combinations": {"aabbc": 1, "aa1": 5}}, ".combinations: 'aa1' is not a combination"),
        ({"combinations": {"aabbcc": 1}}, ".combinations: 'aabbcc' needs more than the 5 dice"),
        ({"nothing_first": 500}, ": 'nothing_first' is not a rule"),
        ({"combinations": {"nothing": 0}}, ".combinations.nothing: 0 is not a whole number from 1 to 100000"),
    ],
)
def test_wrong_rules_are_refused_with_the_allowed_values(wrong, said):
    with pytest.raises(ConfigurationError) as error:
        rules({"dice": 5, "combinations": {"1": 100}}, **wrong)
    assert str(error.value).startswith(f"definitions.ten_thousand.rules.mine{said}")


# --- the named rule sets ---------------------------------------------------------------------------------------------


def test_every_named_rule_set_has_a_card():
    assert NAMED.keys() - {"crocce_mordecki"} == house_rules.CARDS.keys()


@pytest.mark.parametrize("name", house_rules.CARDS)
def test_every_roll_scores_as_the_card_says(name):
    check_rules(made := Rules(Definition(name, NAMED[name])))
    faces = {int(face): weight for face, weight in NAMED[name].get("faces", {}).items()}
    assert made.dice_in(made.modes[0]) == house_rules.HANDS[name]
    for mode in made.modes:
        rolls, hand = {r.dice: r for r in made.rolls(0, mode)}, made.dice_in(mode)
        assert len(rolls) == factorial(5 + hand) // factorial(5) // factorial(hand)
        for dice in combinations_with_replacement(range(1, 7), hand):
            roll = rolls["".join(map(str, dice))]
            first = mode == made.modes[0]
            assert {(o.keep, o.gain, o.mode) for o in roll.options} == house_rules.options(name, dice, first)
            orders = factorial(hand) // prod(factorial(dice.count(face)) for face in set(dice))
            assert roll.weight == orders * prod(faces.get(face, 1) for face in dice)


def test_a_turn_of_too_many_states_is_refused(monkeypatch):
    monkeypatch.setattr(turn_tables, "MAX_STATES", 10)
    with pytest.raises(
        ConfigurationError, match=r"up to a total of \d+, which takes \d+ turn totals and 11 states or more"
    ):
        next(tabulate_turn(BestTurn(rules(TWO))))


# From expected_value.py of the program 10001 (github.com/Amund211/10001): for each number of dice, the expected points
# of a turn that begins with them, and the least total at which banking is better than rolling them.
PRINTED = {6: ("590.66", 18100), 5: ("336.84", 3100), 4: ("240.80", 1050)}
PRINTED |= {3: ("197.23", 450), 2: ("185.01", 250), 1: ("217.15", 350)}


def test_the_turn_of_six_dice_equals_another_programs_output():
    turn = compile_turn(made := Rules(Definition("six_dice", NAMED["six_dice"])))
    assert FarTotals(made).worth == dict.fromkeys([(0, n) for n in made.modes], 0)
    totals = FarTotals(made).cutoff // turn.unit
    worth = solve_exactly(turn, totals, [[Fraction(totals + t)] * 6 for t in range(turn.max_gain)])
    for column, dice in enumerate(turn.modes):
        value, stop = PRINTED[dice]
        assert agrees(value, Fraction(*worth[0][column]) * turn.unit)
        rolls_on = [Fraction(*row[column]) > t for t, row in enumerate(worth)]
        assert (rolls_on.index(False) if False in rolls_on else totals) * turn.unit == stop
    assert house_rules.turn("six_dice") == pytest.approx(float(Fraction(*worth[0][0])) * turn.unit, rel=1e-12)


def test_more_than_two_rolls_of_kingdom_comes_dice_are_worth_more():
    worth = [house_rules.within("kingdom_come", rolls) for rolls in (1, 2, 3, 4)]
    assert [f"{points:.2f}" for points in worth] == ["399.11", "505.51", "547.36", "558.47"]
    assert f"{house_rules.within('kingdom_come', 6, hot=False):.2f}" == "509.05"


# docs/games/house-rules.md has one row for cards with equal turns, and no race for cards with costs of lost turns.
PAGE = Path(__file__).parents[3] / "docs/games/house-rules.md"
LIKE = {"farkle_last_turn": "farkle", "five_thousand_exact": "five_thousand", "greed_last_turn": "greed"}


@pytest.mark.parametrize("name", house_rules.CARDS)
def test_every_card_has_the_values_of_the_page(name):
    row = rf"^\| `{LIKE.get(name, name)}` \| (\d+\.\d\d) \| (\d\.\d{{4}}) \|"
    ((turn, race),) = re.findall(row, PAGE.read_text(encoding="utf-8"), re.M)
    assert f"{house_rules.turn(name):.2f}" == turn
    if name not in ("zilch_in_row", *LIKE):
        assert f"{house_rules.race(name, 2000):.4f}" == race


@pytest.mark.slow
@pytest.mark.parametrize("name", ["farkle_knizia", "farkle_last_turn"])
def test_a_duel_to_10000_equals_single_turns_by_the_words_of_the_card(name):
    game = DuelOfTurns(Rules(Definition(name, NAMED[name])), 10_000)
    V = solve_duel(compile_turn(game.rules), 10_000, past=game.past // 50)
    places = [(0, 0), (0, 4), (0, 199), (51, 120), (150, 100), (199, 199)]
    for me, opponent in places + [(0, 200), (180, 230)] * game.last_turn:
        last, after = opponent >= 200, me + np.arange(261 + house_rules.MOST)
        ends = (after > opponent).astype(float) if last else np.ones(len(after))
        if not last:
            ends[: V.shape[1] - me] = 1 - V[opponent, me:]
        need, lost = (opponent + 1 - me, 0.0) if last else (200 - me, ends[0])
        least = 0 if me else house_rules.TO_OPEN.get(name, 0)
        assert house_rules.played(name, ends, need, lost, least) == pytest.approx(V[me, opponent], abs=1e-13)
    if name == "farkle_knizia":
        (printed,) = (row for row in read("house_rules") if row["place"] == "fairest start")
        assert 50 * np.abs(V[0] - 0.5).argmin() == int(printed["printed"])


# {dice: rolls that score} by farkle.games/farkle-odds, with three pairs and a straight.
WAYS = {1: 2, 2: 20, 3: 156, 4: 1092, 5: 7176}


def test_a_roll_scores_as_often_as_a_page_says_but_for_six_dice():
    made = Rules(Definition("facebook_farkle", NAMED["facebook_farkle"]))
    ways = {mode: sum(r.weight for r in made.rolls(0, mode) if r.options) for mode in made.modes}
    # The page prints 45480: of the 4^6 rolls without a 1 or a 5, 1176 would score nothing. But 1440 of these rolls have
    # no three of a kind, and 360 of the 1440 are three pairs.
    assert ways == WAYS | {6: 6**6 - (1440 - 360)}
