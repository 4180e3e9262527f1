"""Ten Times Eighteen: the score and rank tables against the reference and each other, state by state."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from dicebase.games.ten_times_eighteen import Rules
from dicebase.matches.distribution import ScoreDistribution
from dicebase.matches.sheets import rank, score
from dicebase.solvers.sheets.one_roll.rank import exact_expected_rolls, expected_rolls
from dicebase.solvers.sheets.one_roll.subsets import solve_subsets
from dicebase.tabulate import one_roll
from dicebase.vocabulary import Definition, sums
from reference import ten_times_eighteen as paper
from reference import ten_times_eighteen_scores as paper_scores
from support.contract_turns import check_play, check_table
from support.papers_bocker import scores
from support.scorecards import SMALL, rules, scorecards


def test_a_defined_distribution_equals_the_papers():
    faces = dict.fromkeys(range(1, 12), 1) | {12: 2}
    assert Rules(Definition("loaded", {"dice": 2, "faces": faces}), 5).weights == paper.LOADED
    assert Rules().weights == paper.distribution(3, 6) and Rules().factors == paper.PAPER
    assert Rules(Definition("2d12")).weights == paper.distribution(2, 12)


def by_subsets(weights, multipliers):
    """M of the production solver: {set of free slots: value}."""
    game = rules(weights, multipliers)
    total = sum(weights.values())
    values = solve_subsets(game.weights, game.slots, game.gain)
    return {
        frozenset(i for i in range(1, game.slots + 1) if free >> i - 1 & 1): Fraction(n, total ** free.bit_count())
        for free, n in enumerate(values)
    }


def by_ranks(weights, slots):
    """E of the production solver: {(j, i): value}."""
    return {(j, i): e for j, row in enumerate(exact_expected_rolls(weights, slots), 1) for i, e in enumerate(row, 1)}


@settings(max_examples=150, deadline=None)
@given(scorecards())
def test_subsets_and_ranks_agree_for_any_scorecard(card):
    """Both solvers equal the reference, and each other at every set of free slots."""
    weights, multipliers = card
    M, E = by_subsets(weights, multipliers), by_ranks(weights, len(multipliers))
    assert paper.subset_table(weights, multipliers) == M
    assert paper.rank_table(weights, len(multipliers)) == E
    for free, value in M.items():
        free_multipliers = sorted(multipliers[i - 1] for i in free)
        assert value == sum(m * E[len(free), i] for i, m in enumerate(free_multipliers, 1))


@settings(max_examples=120, deadline=None)
@given(scorecards())
def test_every_probability_of_a_score_equals_the_reference_for_any_scorecard(card):
    found = scores(rules(*card))
    assert sorted(found) == sorted(paper_scores.STRATEGIES) == list(ScoreDistribution.strategies)
    for strategy, chances in found.items():
        assert chances == paper_scores.score_distribution(*card, strategy) and list(chances) == sorted(chances)


@pytest.mark.parametrize(("weights", "slots"), [(sums(6, 3), 30), (sums(7, 1), 25), (sums(100, 2), 12), ({5: 1}, 20)])
def test_ranks_in_doubles_equal_rationals_up_to_rounding(weights, slots):
    # E_j is an average of products of rounded probabilities, and row j inherits the error of row j - 1.
    epsilon, terms = 2.0**-52, len(weights) + 2
    for j, (doubles, exact) in enumerate(
        zip(expected_rolls(weights, slots), exact_expected_rolls(weights, slots), strict=True), 1
    ):
        for e, x in zip(doubles, exact, strict=True):
            assert abs(Fraction(e) - x) <= j * terms * epsilon * max(weights)


@pytest.mark.parametrize("name", SMALL)
def test_the_table_equals_the_reference_solution_state_by_state(name):
    game = score.BestScore(rules(*SMALL[name]))
    check_play(game)
    check_table(game, one_roll.score)


@pytest.mark.parametrize("name", SMALL)
def test_q_values_follow_from_ranks_for_every_slot(name):
    """Derive q-values from the expected rolls of the other free slots, as for cards that are too large for sets."""
    weights, multipliers = SMALL[name]
    game, E = score.BestScore(rules(weights, multipliers)), by_ranks(weights, len(multipliers))
    M = paper.subset_table(weights, multipliers)
    for free in range(1, 1 << len(multipliers)):
        slots = frozenset(i for i in range(1, len(multipliers) + 1) if free >> i - 1 & 1)
        expected = [E[len(slots) - 1, i] for i in range(1, len(slots))]
        for x in weights:
            q = {str(i): multipliers[i - 1] * x + M[slots - {i}] for i in slots}
            assert game.q_values((free, x), expected) == q


def test_a_rank_table_of_many_slots_has_no_exact_value():
    rows = next(one_roll.rank(rank.ExpectedRolls(Rules(Definition("2d6"), 61))))
    assert rows.exact is None and len(rows.states["value"]) == 61 * 62 // 2
    assert next(one_roll.rank(rank.ExpectedRolls(Rules(Definition("2d6"), 60)))).exact is not None
