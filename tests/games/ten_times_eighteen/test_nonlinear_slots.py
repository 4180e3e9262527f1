"""Slots that score by a formula of slot and roll (Böcker 2015, section 10, the second open question)."""

from fractions import Fraction

import pytest

from dicebase.games.ten_times_eighteen import Rules
from dicebase.matches.sheets.score import BestScore
from dicebase.solvers.sheets.one_roll.rank import exact_expected_rolls
from dicebase.tabulate.one_roll import score
from dicebase.vocabulary import ConfigurationError, Definition
from reference import ten_times_eighteen as paper

FULL = "min(slot * roll, 60)"
FORMULAS = [FULL, "slot * roll ** 2", "roll if slot > 2 else -roll", "abs(roll - 3 * slot)"]


def rules(points: str, distribution: str = "3d6", slots: int = 5) -> Rules:
    return Rules(Definition(distribution), slots, Definition("mine", {"points": points}))


def value_by_rank(card: Rules) -> Fraction:
    """Score of the polynomial method: each roll goes to the slot given by its rank among the expected rolls."""
    weights, total = card.weights, sum(card.weights.values())
    expected = [[], *exact_expected_rolls(weights, card.slots)]
    values = {0: Fraction(0)}
    for free in range(1, 1 << card.slots):
        slots = [i for i in range(card.slots) if free >> i & 1]
        earned = Fraction(0)
        for roll, weight in weights.items():
            i = slots[sum(roll > e for e in expected[len(slots) - 1])]
            earned += Fraction(weight, total) * (card.gain(i + 1, roll) + values[free & ~(1 << i)])
        values[free] = earned
    return values[(1 << card.slots) - 1]


@pytest.mark.parametrize("points", FORMULAS)
@pytest.mark.parametrize("distribution", ["3d6", "2d4"])
def test_the_subset_method_agrees_with_the_reference(points, distribution):
    card = rules(points, distribution, slots=4)
    expected = paper.nonlinear_value(dict(card.weights), card.gain, 4)
    assert next(score(BestScore(card))).exact == expected


def test_the_polynomial_method_is_not_optimal_if_a_slot_can_be_full():
    linear = Rules(Definition("3d6"), 6, Definition("1..n"))
    assert value_by_rank(linear) == next(score(BestScore(linear))).exact
    full = rules(FULL, slots=6)
    best, by_rank = next(score(BestScore(full))).exact, value_by_rank(full)
    assert by_rank < best


@pytest.mark.parametrize("text", ["roll // (slot - 1)", "roll ** -slot", "min", "max(slot)"])
def test_a_formula_without_a_whole_number_is_refused(text):
    with pytest.raises(ConfigurationError, match=r"^definitions\.ten_times_eighteen\.multipliers\.mine\.points: "):
        rules(text)


def test_a_definition_needs_exactly_points():
    with pytest.raises(ConfigurationError, match="needs exactly 'points'"):
        Rules(Definition("3d6"), 3, Definition("mine", {"point": "1"}))
