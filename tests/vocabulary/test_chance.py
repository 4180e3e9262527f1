"""Outcomes that lead to further chance, the discount, and what outcomes are called."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest
from solvers.boards.test_values import fail, published

from dicebase.certify import decisions
from dicebase.matches.boards.board import for_objective
from dicebase.solvers import reference
from dicebase.vocabulary import After, Board, Column, ConfigurationError, Objective, check_made, check_rules


@dataclass(frozen=True)
class Draws(Board):
    """A board whose outcomes are given by afterstate."""

    title = citation = "made up"
    objectives: ClassVar = {"most": Objective("points", "points")}
    columns = (Column("place", int, "the place"),)
    chained = True
    _falls: ClassVar = {}
    _names: ClassVar = {}

    def start(self):
        return "start"

    def actions(self, state):
        return ("go",)

    def afterstate(self, state, action):
        return f"go {state[0]}"

    def outcomes(self, afterstate):
        return self._falls[afterstate]

    def labels(self, afterstate):
        return self._names.get(afterstate, ())


def made(falls, **said):
    cls = type("Draws", (Draws,), {"_falls": {"start": [(1, (0,), 0, 1)]} | falls} | said)
    return dataclass(frozen=True)(cls)(objective="most")


CHAIN = {
    "go 0": [(1, After("again"), 5, -1), (2, (0,), 1, 1)],
    "again": [(1, None, 3, 1), (2, After("end"), 1, -1), (1, (0,), 0, -1)],
    "end": [(1, None, 2, 1), (5, None, 7, 1)],
}


def test_probabilities_rewards_and_signs_of_a_chain_are_combined():
    outcomes = made(CHAIN).chance.outcomes("go 0")
    total = sum(weight for weight, *_ in outcomes)
    third = Fraction(1, 3)
    assert {tuple(outcome): Fraction(weight, total) for weight, *outcome in outcomes} == {
        (None, 5 - 3, -1): third / 4,
        (None, 5 - (1 - 2), 1): third / 2 / 6,
        (None, 5 - (1 - 7), 1): third / 2 * 5 / 6,
        ((0,), 5, 1): third / 4,
        ((0,), 1, 1): 2 * third,
    }


def test_equal_outcomes_of_a_chain_are_one_outcome_with_small_weights():
    falls = {"go 0": [(2, After("coin"), 0, 1), (2, None, 1, 1)], "coin": [(3, None, 1, 1), (3, None, 0, 1)]}
    assert made(falls).chance.outcomes("go 0") == [(3, None, 1, 1), (1, None, 0, 1)]


AGAIN = {"go 0": [(1, After("a"), 0, 1)]}


@pytest.mark.parametrize(
    ("falls", "why"),
    [
        (AGAIN | {"a": [(1, After("a"), 0, 1), (1, None, 0, 1)]}, r"outcomes\('a'\): chance may"),
        (AGAIN | {"a": [(0, None, 0, 1)]}, r"outcomes\('a'\): a weight is not a whole number"),
        (AGAIN | {"a": [(1, None, 0.5, 1)]}, r"outcomes\('a'\): a reward is 0.5"),
        (AGAIN | {"a": []}, r"outcomes\('a'\): there is none"),
    ],
)
def test_a_wrong_outcome_within_a_chain_is_named(falls, why):
    with pytest.raises(ConfigurationError, match=why):
        check_rules(made(falls))


def test_a_board_states_that_its_chance_is_chained_and_a_discount_up_to_1():
    with pytest.raises(ConfigurationError, match=r"After\(.*'again'\), but the rules do not state chained = True"):
        check_rules(made(CHAIN, chained=False))
    for discount in (0, 1.0, Fraction(3, 2), -1):
        with pytest.raises(ConfigurationError, match=r"discount: .* is not 1 or a Fraction between 0 and 1"):
            check_made(made(CHAIN, discount=discount), {})


def test_labels_follow_the_chain_and_join_equal_outcomes():
    names = {"go 0": ["heads", "tails"], "again": ["one", "two", "three"]}
    rules = made(CHAIN, _names=names)
    game = for_objective(rules.objectives["most"])(rules)
    labels = dict(zip([tuple(o[1:]) for o in game.outcomes("go 0")], game.falls("go 0"), strict=True))
    assert labels[None, 2, -1] == "heads, one" and labels[(0,), 1, 1] == "tails"
    assert labels[None, 6, 1] == "heads, two"
    alike = {"go 0": [(1, None, 0, 1)] * 5}
    plain = made(alike, _names={"go 0": [*"abcde"]})
    assert plain.chance.labels("go 0") == ["a or b or c or another way"]
    assert made(alike, _names={"go 0": [*"abcde"]}, chained=False).chance.labels("go 0") == [*"abcde"]
    with pytest.raises(ConfigurationError, match="is not one line of text for each of 5 outcomes"):
        check_rules(made(alike, _names={"go 0": ["a"]}))


@pytest.mark.parametrize("discount", [1, Fraction(1, 2), Fraction(9, 10)])
def test_a_discount_multiplies_the_value_of_every_next_position_but_not_the_first(discount):
    falls = {"go 0": [(2, (1,), 4, 1), (1, None, 1, 1)], "go 1": [(1, (2,), 3, -1)], "go 2": [(3, None, 5, 1)]}
    rules = made(falls, discount=discount, chained=False)
    found = reference.solve(for_objective(rules.objectives["most"])(rules))
    one = 3 - discount * 5
    assert found.value[1,] == one and found.start == Fraction(2, 3) * (4 + discount * one) + Fraction(1, 3)


def test_a_reward_may_be_true_or_false():
    falls = {"go 0": [(1, None, True, 1), (3, None, False, 1)]}
    for chained in (False, True):
        check_rules(rules := made(falls, chained=chained))
        game = for_objective(rules.objectives["most"])(rules)
        table, rows = published(game)
        assert decisions.check(game, table, fail).value == 0.25 and rows.exact == Fraction(1, 4)


def test_the_note_of_a_table_states_the_discount_and_what_endless_play_pays():
    rules = made(CHAIN, discount=Fraction(1, 2), unending=3, note="no draws")
    note = for_objective(rules.objectives["most"])(rules).note
    assert note == "no draws; endless play pays 3; each decision multiplies later rewards by 1/2"
