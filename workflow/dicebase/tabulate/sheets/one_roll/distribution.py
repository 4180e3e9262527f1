"""The distribution table of a scorecard: exact weights, every probability rounded once."""

from collections.abc import Iterator
from fractions import Fraction

from dicebase.matches import LEAST
from dicebase.matches.distribution import ScoreDistribution
from dicebase.solve.sheets.one_roll.distribution import Scores
from dicebase.tables.writer import Rows


def tabulate(listing: ScoreDistribution) -> Iterator[Rows]:
    """All scores with their probabilities, by strategy."""
    scores = Scores(listing.rules.weights, listing.rules.factors)
    weights_of = {"clairvoyant": scores.clairvoyant, "optimal": scores.optimal, "random": scores.random}
    by_strategy = {name: weights_of[name]() for name in listing.strategies}
    mean = Fraction(sum(score * weight for score, weight in by_strategy["optimal"].items()), scores.total)
    rows = Rows(listing, exact=mean)
    for name, weights in by_strategy.items():
        for score, weight in weights.items():
            # Doubles end near 1e-308, and so do the terms that make up a probability.
            if (probability := weight / scores.total) >= LEAST:
                rows.add_row(name, score, probability)
    yield rows
