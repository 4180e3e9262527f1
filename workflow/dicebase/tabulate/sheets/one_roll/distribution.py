"""The distribution table of a scorecard: exact counts of games, every probability rounded once."""

from collections.abc import Iterator
from fractions import Fraction

from dicebase.matches import LEAST
from dicebase.matches.distribution import ScoreDistribution
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.tables.writer import Rows


def tabulate(listing: ScoreDistribution) -> Iterator[Rows]:
    """All scores with their probabilities, by strategy."""
    card, least = Card(listing.rules), listing.rules.least
    optimal = card.play_optimal()
    counted = {"clairvoyant": card.play_clairvoyant(), "optimal": optimal, "random": card.play_at_random()}
    rows = Rows(listing, exact=Fraction(sum(s * n for s, n in enumerate(optimal, start=least)), card.rules.games))
    for name in listing.strategies:
        for score, games in enumerate(counted[name], start=least):
            # Doubles end near 1e-308, and so do the terms that make up a probability.
            if (probability := games / card.rules.games) >= LEAST:
                rows.add_row(name, score, probability)
    yield rows
