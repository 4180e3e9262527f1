"""The exceed table of a scorecard: the probabilities before the roll, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import ChanceToExceed
from dicebase.solve.scorecards.exceed import exceed
from dicebase.tables.writer import Rows
from dicebase.tabulate.scorecards.arrays import chosen_slots, gains_of


def tabulate(listing: ChanceToExceed) -> Iterator[Rows]:
    """Both probabilities for every set of free slots and every number of points."""
    rules = listing.rules
    gains = gains_of(rules)
    best, fixed = exceed(np.array(list(rules.weights.values())), gains, chosen_slots(rules))
    rows = Rows(listing)
    for free in range(1, 1 << rules.slots):
        for needed in range(1, listing.most[free] + 1):
            rows.add_row(free, needed, best[free, needed], fixed[free, needed])
    yield rows
