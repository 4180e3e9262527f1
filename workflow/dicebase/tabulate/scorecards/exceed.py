"""The exceed table of a scorecard: the probabilities before the roll, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import ChanceToExceed
from dicebase.solve.scorecards.exceed import exceed
from dicebase.tables.writer import Rows
from dicebase.tabulate.scorecards.arrays import chosen_slots, gains_of, refuse_large
from dicebase.vocabulary import ConfigurationError


def tabulate(listing: ChanceToExceed) -> Iterator[Rows]:
    """Both probabilities for every set of free slots and every number of points; raises ConfigurationError where
    a slot can lose points, or where the arrays would take more than MAX_BYTES."""
    rules = listing.rules
    gains = gains_of(rules)
    if gains.max() == 0:
        raise ConfigurationError("no roll scores in any slot: there is nothing to reach")
    if gains.min() < 0:
        raise ConfigurationError("a roll that loses points: points needed could rise, which this table cannot say")
    refuse_large(rules, 2 * 8 * (1 << rules.slots) * (int(gains.max(axis=1).sum()) + 1))
    best, fixed = exceed(np.array(list(rules.weights.values())), gains, chosen_slots(rules))
    rows = Rows(listing)
    for free in range(1, 1 << rules.slots):
        for needed in range(1, listing.most[free] + 1):
            rows.add_row(free, needed, best[free, needed], fixed[free, needed])
    yield rows
