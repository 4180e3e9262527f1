"""The distribution table of a scorecard: exact weights, every probability rounded once."""

from fractions import Fraction

from dicebase.errors import ConfigurationError
from dicebase.matches.distribution import LEAST, Match
from dicebase.solve.scores import Scores
from dicebase.tables import Rows

MAX_SLOTS = 14
MAX_BYTES = 500_000_000


def tabulate(listing: Match) -> Rows:
    """All scores with their probabilities, by strategy; raises ConfigurationError for more than MAX_SLOTS slots."""
    rules = listing.rules
    if rules.slots > MAX_SLOTS:
        raise ConfigurationError(f"slots: {rules.slots} slots; the exact distribution is solved for up to {MAX_SLOTS}")
    scores = Scores(rules.weights, rules.factors)
    if (size := scores.bytes) > MAX_BYTES:
        raise ConfigurationError(
            f"slots: the exact distribution would take {size / 1e9:.3g} GB; at most 0.5 GB is solved"
        )
    by_strategy = {name: getattr(scores, name)() for name in listing.strategies}
    mean = Fraction(sum(score * weight for score, weight in by_strategy["optimal"].items()), scores.total)
    rows = Rows(listing, exact=mean)
    for name, weights in by_strategy.items():
        for score, weight in weights.items():
            # Doubles end near 1e-308, and so do the terms that make up a probability.
            if (probability := weight / scores.total) >= LEAST:
                rows.add_value((name, score), probability)
    return rows
