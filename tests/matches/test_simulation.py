"""Duels played out between the published policy and one that maximises the points of each turn."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from reference import matches
from reference.matches_ten_thousand import ten_thousand
from support import fixed_policies
from support import papers_crocce_mordecki as cm
from support.fixed_policies import hold_at_20
from support.match_tables import columns

FAR = 4.2  # standard errors
GAMES = {
    "pig": (fixed_policies.Pig, matches.pig, 1, {"target": 100}),
    "ten_thousand": (fixed_policies.TenThousand, ten_thousand, 50, {"target": 1000}),
}


@cache
def players(game):
    """(dice, turn, {name: policy})."""
    dice, turn, unit, variant = GAMES[game]
    dice, T = dice(), variant["target"] // unit
    optimal = fixed_policies.published(columns(f"{game}_duel", **variant), T, unit, dice.modes)
    return dice, turn(), {"optimal": optimal, "points": of_points(game, T)}


def of_points(game, T):
    """Most points in each turn: in Pig hold at 20; in Ten Thousand by the solution of the turn."""
    if game == "pig":
        return hold_at_20(T)
    rolled = cm.rolled()
    worth = np.array([[0.0, *(float(rolled[t, n]) for n in range(1, 6))] for t in range(T + 20)])
    return fixed_policies.of_a_turn(worth, T)


@cache
def exactly(game, first, second):
    _, turn, policies = players(game)
    return fixed_policies.matchup(turn, policies[first], policies[second])


PAIRINGS = list(product(GAMES, ("optimal", "points"), ("optimal", "points")))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "first", "second"), PAIRINGS)
def test_matches_are_won_as_often_as_evaluation_says(game, first, second):
    count = 50_000 if game == "pig" else 30_000
    dice, _, policies = players(game)
    won = fixed_policies.frequency(dice, policies[first], policies[second], count, seed=len(first) * 7 + len(second))
    value = exactly(game, first, second)
    assert abs(won - value) <= FAR * (value * (1 - value) / count) ** 0.5


@pytest.mark.parametrize("game", GAMES)
def test_the_published_value_is_that_of_the_published_policy_against_itself(game):
    value = columns(f"{game}_duel", **GAMES[game][3])["value"][0]
    assert exactly(game, "optimal", "optimal") == pytest.approx(value, abs=1e-13)


@pytest.mark.parametrize("game", GAMES)
def test_no_policy_does_better_against_either_side_of_the_published_one(game):
    value = exactly(game, "optimal", "optimal")
    assert exactly(game, "points", "optimal") < value - 0.01 < value + 0.01 < exactly(game, "optimal", "points")


def test_the_evaluation_is_that_of_the_reference():
    """At 30 points, by another program: hold at 20 against the published policy."""
    rows = columns("pig_duel", target=30)
    optimal = fixed_policies.published(rows, 30, 1, 2)
    by_turns = matches.matchup(
        matches.pig(), 30, lambda me, other, t: optimal.rolls[me, other, t, 1], lambda me, other, t: t < 20
    )
    assert fixed_policies.matchup(matches.pig(), optimal, hold_at_20(30)) == pytest.approx(by_turns[0, 0], abs=1e-14)


def test_two_who_hold_at_20():
    assert exactly("pig", "points", "points") == pytest.approx(0.5346983261654297, abs=1e-13)


def test_the_best_policy_against_hold_at_20():
    """By two programs: it wins 57.15 % of the matches it begins and 50.83 % of the others."""
    assert exactly("pig", "optimal", "points") == pytest.approx(0.5714984302771067, abs=1e-13)
    assert 1 - exactly("pig", "points", "optimal") == pytest.approx(0.5083420645467335, abs=1e-13)
