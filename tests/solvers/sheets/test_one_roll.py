"""The final score of Ten Times Eighteen: production integers against the blind reference's fractions."""

import pytest
from hypothesis import given, settings

from dicebase.matches.distribution import ScoreDistribution
from dicebase.tabulate.one_roll import distribution
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


@settings(max_examples=120, deadline=None)
@given(scorecards())
def test_every_probability_equals_the_reference_for_any_scorecard(card):
    same_as_the_reference(*card)


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
