"""The best cards of a game that keeps dice, in a turn, a race and a duel, against every card of a small grid."""

from dataclasses import replace
from itertools import product

import pyarrow.parquet as pq
import pytest

from dicebase.tables.names import find_table
from reference import duel_policies, hold_at
from reference.matches import BUST, Turn, by_outcome, duel, race
from support import grids
from support.cards import POCKET, certified

DEFINITIONS = {"rules": {"pocket": POCKET}}


def outcome(roll):
    """The ways to keep ones and fives, all of them if all dice score."""
    ones, fives = roll.count(1), roll.count(5)
    kept = {(a, b) for a in range(ones + 1) for b in range(fives + 1)} - {(0, 0)}
    kept = {(ones, fives)} if ones + fives == len(roll) else kept
    return tuple(sorted(((0, 100, 300, 400)[a] + 50 * b, len(roll) - a - b or 3) for a, b in kept)) or BUST


TURN = Turn(50, 3, {n: by_outcome(map(outcome, product(range(1, 7), repeat=n))) for n in (1, 2, 3)})


def policy(stops, worth=0):
    """The policy that stops at `stops(me, opponent, dice)` and counts `worth` for each die that it rolls next."""

    def rolls(me, opponent, total, dice):
        return total < stops(me, opponent, dice)

    return rolls, lambda me, opponent, total, dice: total + worth * dice * rolls(me, opponent, total, dice)


FORMS = {
    "dice": "{} if dice <= 1 else {}",
    "goal": "target if me >= {} else {}",
    "keep": "{} keep total + {} * dice",
    "pace": "target if max(me, opponent) >= {} else {}",
    "ratio": "target if max(me, opponent) >= {} else {} * (target - me) // (target - opponent) * 2**dice",
    "roll_on": "{} if dice <= {} else target",
    "together": "target if me + opponent >= {} else {}",
}
POLICIES = {
    "dice": lambda _, one, two: policy(lambda me, opponent, dice: one if dice == 1 else two),
    "goal": lambda target, mine, hold: policy(lambda me, opponent, dice: target if me >= mine else hold),
    "keep": lambda _, hold, worth: policy(lambda *_: hold, worth),
    "pace": lambda target, race, hold: policy(lambda me, opponent, _: target if max(me, opponent) >= race else hold),
    "ratio": lambda target, race, step: policy(
        lambda me, opponent, dice: (
            target if max(me, opponent) >= race else int(step * (target - me) / (target - opponent)) << dice
        )
    ),
    "roll_on": lambda target, hold, cut: policy(lambda me, opponent, dice: hold if dice <= cut else target),
    "together": lambda target, both, hold: policy(lambda me, opponent, _: target if me + opponent >= both else hold),
}
"""The policies of cards with two numbers, by the target and the numbers."""


def costs_of(language, target, cost):
    """{text: cost} of all cards of a language; `cost` is called with a policy."""
    points = range(50, target + 1, 50)
    other = {"keep": (0, *points), "roll_on": (1, 2, 3)}.get(language, points)
    every = product(range(50, 2 * target + 1, 50) if language == "together" else points, other)
    return {f"hold_at {FORMS[language].format(*n)}": cost(POLICIES[language](target, *n)) for n in every}


def solved(match, folder, **given):
    """(certified files, rows) of the pocket game's cards of two numbers."""
    given = {"rules": "pocket", "numbers": 2} | given
    files, _ = grids.certified(f"ten_thousand_{match}_cards", given, folder, DEFINITIONS)
    return files, pq.read_table(files.rows).to_pylist()


def check(rows, names, target, cost):
    """Each row's card has the least cost of its language."""
    assert [row["language"] for row in rows] == names
    for row in rows:
        costs = costs_of(row["language"], target, cost)
        assert row["proved"] and row["cost"] == pytest.approx(min(costs.values()), abs=1e-11)
        assert costs[row["policy"]] == pytest.approx(row["cost"], abs=1e-11)


def test_no_card_of_a_turn_is_cheaper(tmp_path_factory):
    worth = {}
    for t in range(2000, -50, -50):
        for dice, rolls in TURN.rolls.items():
            options = [(weight, outcome) for weight, outcome in rolls if outcome != BUST]
            best = [(weight, max(max(t + g, worth.get((t + g, d), 0)) for g, d in of)) for weight, of in options]
            worth[t, dice] = sum(weight * value for weight, value in best) / 6**dice
    # From 300 points on no roll gains on average.
    check(
        certified("turn", tmp_path_factory)[1],
        ["dice", "keep", "roll_on"],
        300,
        lambda card: worth[0, 3] - hold_at.points(TURN, card),
    )


def test_no_card_of_a_race_is_cheaper(tmp_path):
    fewest = race(TURN, 300, float)[0][0]
    _, rows = solved("race", tmp_path, target=300)
    check(rows, ["dice", "goal", "keep", "roll_on"], 300, lambda card: hold_at.turns(TURN, 300, card) - fewest)


@pytest.fixture(scope="module")
def best():
    """Optimal play of a duel to 200, as a policy."""
    _, decisions = duel(TURN, 200)
    return (lambda *state: decisions[state][0] - decisions[state][1] > 1e-12), lambda *state: max(decisions[state])


@pytest.mark.slow
def test_no_card_of_a_duel_is_cheaper(tmp_path, best):
    _, rows = solved("duel", tmp_path, target=200)
    check(rows, [*FORMS], 200, lambda card: 1 - sum(duel_policies.matchup(TURN, 200, card, best)))
    assert rows[2]["policy"] == "hold_at 200 keep total + 100 * dice"
    response = duel_policies.matchup(TURN, 200, duel_policies.BEST, POLICIES["keep"](200, 200, 100))
    assert rows[2]["worst_case"] == pytest.approx(sum(response) - 1, abs=1e-11)


def test_a_policy_of_a_matchup_may_say_how_it_keeps_dice(tmp_path, best):
    league = ["optimal", {"keep_dice": "150 if dice <= 1 else 200 keep total + 100 * dice"}]
    given, definitions = {"rules": "pocket", "target": 200}, DEFINITIONS | {"policies": {"league": league}}
    files, _ = grids.certified("ten_thousand_duel_matchups", given, tmp_path, definitions)
    rows = [row for row in pq.read_table(files.rows).to_pylist() if row["column_policy"] == "optimal"]
    found = {row["first"]: row["probability"] for row in rows if row["row_policy"] == "keep_dice"}
    card = policy(lambda me, opponent, dice: 150 if dice <= 1 else 200, 100)
    first, second = duel_policies.matchup(TURN, 200, card, best)
    assert found == pytest.approx({"row": first, "column": second}, abs=1e-11)


def test_a_number_of_numbers_without_language_is_refused_with_those_that_have_one():
    turn = find_table("pig_turn_cards").build({"sides": 6, "dice": 1, "numbers": 2}, {})
    assert turn.why_not_solved == "numbers: there is no language for cards of 2 numbers here; give 1"
    assert replace(turn, numbers=1).why_not_solved == ""
