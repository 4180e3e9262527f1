"""The final score of Ten Times Eighteen: production integers against the blind reference's fractions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from dicebase.matches.distribution import ScoreDistribution
from dicebase.tabulate.one_roll import distribution
from dicebase.vocabulary import sums
from reference import ten_times_eighteen as paper
from reference import ten_times_eighteen_scores as paper_scores
from support.papers_bocker import scores
from support.scorecards import SMALL, rules, scorecards


def production(weights, multipliers):
    """{strategy: {score: probability}} of the production solver."""
    return scores(rules(weights, multipliers))


def same_as_the_reference(weights, multipliers):
    found = production(weights, multipliers)
    assert sorted(found) == sorted(paper_scores.STRATEGIES) == list(ScoreDistribution.strategies)
    for strategy, chances in found.items():
        assert chances == paper_scores.score_distribution(weights, multipliers, strategy), strategy
        assert list(chances) == sorted(chances)
    return found


@pytest.mark.parametrize("name", SMALL)
def test_every_probability_is_the_references(name):
    weights, multipliers = SMALL[name]
    found = same_as_the_reference(weights, multipliers)
    # The random strategy once more, slot by slot: rolls in different slots do not know of each other.
    assert found["random"] == paper_scores.random_by_rounds(weights, multipliers)


@settings(max_examples=120, deadline=None)
@given(scorecards())
def test_every_probability_is_the_references_for_any_scorecard(card):
    same_as_the_reference(*card)


@pytest.mark.parametrize("name", SMALL)
def test_means_are_those_of_every_other_method(name):
    weights, multipliers = SMALL[name]
    means = {strategy: paper_scores.mean(chances) for strategy, chances in production(weights, multipliers).items()}
    assert means["optimal"] == paper.rank_value(weights, multipliers)
    assert means["random"] == paper.random_value(weights, multipliers)
    assert means["clairvoyant"] == paper.clairvoyant_value(weights, multipliers)
    by_rank = paper.order_statistics(weights, len(multipliers))
    assert means["clairvoyant"] == sum(m * x for m, x in zip(sorted(multipliers), by_rank, strict=True))
    if len(weights) ** len(multipliers) <= 10_000:
        assert means["clairvoyant"] == paper.clairvoyant_by_enumeration(weights, multipliers)
    assert means["random"] <= means["optimal"] <= means["clairvoyant"]


@pytest.mark.parametrize("name", SMALL)
def test_the_table_is_the_reference_rounded_once(name):
    weights, multipliers = SMALL[name]
    rows = next(distribution(ScoreDistribution(rules(weights, multipliers))))
    published = {tuple(row): value for *row, value in zip(*rows.states.values(), strict=True)}
    assert published == {
        (strategy, score): float(p)
        for strategy in paper_scores.STRATEGIES
        for score, p in paper_scores.score_distribution(weights, multipliers, strategy).items()
    }
    assert list(published) == sorted(published)
    assert rows.exact == paper.rank_value(weights, multipliers)


def test_two_slots_for_coins_by_hand():
    # A first 1 goes to slot 1 and a first 2 to slot 2, the other roll is anything. Sorted: 11, 12 twice, 22.
    assert production(sums(2, 1), (1, 2)) == {
        "optimal": {3: Fraction(1, 4), 5: Fraction(1, 2), 6: Fraction(1, 4)},
        "random": {3: Fraction(1, 4), 4: Fraction(1, 4), 5: Fraction(1, 4), 6: Fraction(1, 4)},
        "clairvoyant": {3: Fraction(1, 4), 5: Fraction(1, 2), 6: Fraction(1, 4)},
    }


@pytest.mark.parametrize("slots", [1, 2, 5, 9])
def test_for_coins_nobody_needs_to_know_the_future(slots):
    """Section 6: put any 1 into the first free slot and any 2 into the last one."""
    found = production(sums(2, 1), tuple(range(1, slots + 1)))
    assert found["optimal"] == found["clairvoyant"]
    twos = {sum(range(slots - k + 1, slots + 1)) for k in range(slots + 1)}
    assert set(found["optimal"]) == {slots * (slots + 1) // 2 + more for more in twos}


@pytest.mark.parametrize("multipliers", [(1, 2, 3, 4, 5), (1, 1, 7), (-2, 0, 3)])
def test_random_scores_of_fair_dice_are_symmetric_about_their_mean(multipliers):
    chances = production(sums(6, 3), multipliers)["random"]
    assert chances == {sum(multipliers) * 21 - score: p for score, p in chances.items()}


def test_with_equal_multipliers_no_strategy_is_better_than_another():
    found = production(sums(6, 1), (2, 2, 2, 2))
    assert found["optimal"] == found["random"] == found["clairvoyant"]
