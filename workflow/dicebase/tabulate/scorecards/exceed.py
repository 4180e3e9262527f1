"""The exceed table of a scorecard: the probabilities before the roll, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import ChanceToExceed
from dicebase.solve.scorecards.exceed import exceed
from dicebase.solve.scorecards.subsets import best_slots
from dicebase.tables.writer import Rows
from dicebase.vocabulary.errors import ConfigurationError

MAX_BYTES = 500_000_000


def tabulate(listing: ChanceToExceed) -> Iterator[Rows]:
    """Both probabilities for every set of free slots and every number of points; raises ConfigurationError where
    a slot can lose points, or where the arrays would take more than MAX_BYTES."""
    rules = listing.rules
    gains = np.array([[rules.gain(i + 1, x) for x in rules.weights] for i in range(rules.slots)])
    if gains.max() == 0:
        raise ConfigurationError("no roll scores in any slot: there is nothing to reach")
    if gains.min() < 0:
        raise ConfigurationError("a roll that loses points: points needed could rise, which this table cannot say")
    size = 2 * 8 * (1 << rules.slots) * (int(gains.max(axis=1).sum()) + 1)
    if size > MAX_BYTES:
        raise ConfigurationError(f"slots: {rules.slots} slots would take {size / 1e9:.2g} GB; at most 0.5 GB is solved")
    # Slots are counted from 0 in the arrays; the empty set has nothing to choose.
    choice = np.zeros((1 << rules.slots, len(rules.weights)), dtype=np.int64)
    choice[1:] = np.array(best_slots(rules.weights, rules.slots, rules.gain)[1:]) - 1
    best, fixed = exceed(np.array(list(rules.weights.values())), gains, choice)
    rows = Rows(listing)
    for free in range(1, 1 << rules.slots):
        for needed in range(1, listing.most[free] + 1):
            rows.add_value((free, needed), best[free, needed], fixed[free, needed])
    yield rows
