"""The versus table of a scorecard: the best response to the score-optimal strategy, from which decisions follow."""

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from dicebase.matches.versus import BestResponse
from dicebase.solve.scorecards.distribution import Scores
from dicebase.solve.scorecards.subsets import best_slots
from dicebase.solve.scorecards.versus import respond
from dicebase.tables.writer import Rows
from dicebase.vocabulary.errors import ConfigurationError

MAX_BYTES = 500_000_000


def tabulate(listing: BestResponse) -> Iterator[Rows]:
    """The probabilities of every set of free slots and every number of points that play can reach; raises
    ConfigurationError where the arrays would take more than MAX_BYTES."""
    rules = listing.rules
    gains = np.array([[rules.gain(i + 1, x) for x in rules.weights] for i in range(rules.slots)])
    least = gains.min(axis=1)
    size = int((gains.max(axis=1) - least).sum()) + 1
    if (bytes_needed := 3 * 8 * size << rules.slots) > MAX_BYTES:
        raise ConfigurationError(
            f"slots: {rules.slots} slots would take {bytes_needed / 1e9:.2g} GB; at most 0.5 GB is solved"
        )
    total = sum(rules.weights.values())
    probabilities = np.array([weight / total for weight in rules.weights.values()])
    choice = np.zeros((1 << rules.slots, len(rules.weights)), dtype=np.int64)
    choice[1:] = np.array(best_slots(rules.weights, rules.slots, rules.gain)[1:]) - 1
    payoff, tie = _opponent(Scores(rules.weights, rules.factors), int(least.sum()), size)
    arrays = respond(probabilities, gains - least[:, None], choice, payoff, tie)
    keys, found = [], []
    for free, scored in enumerate(listing.reached):
        filled = sum(int(least[i]) for i in range(rules.slots) if not free >> i & 1)
        keys.append((np.full(len(scored), free), np.array(scored)))
        found.append([array[free, keys[-1][1] - filled] for array in arrays])
    rows = Rows(listing)
    rows.set_values(
        [np.concatenate(key) for key in zip(*keys, strict=True)], *map(np.concatenate, zip(*found, strict=True))
    )
    yield rows


def _opponent(scores: Scores, least: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """P(less) + P(equal) / 2 and P(equal), by final score from the least; each rounded once."""
    optimal = scores.optimal()
    weights = [optimal.get(least + s, 0) for s in range(size)]
    below = [0, *accumulate(weights)]
    payoff = [(2 * less + equal) / (2 * scores.total) for less, equal in zip(below, weights, strict=False)]
    return np.array(payoff), np.array([equal / scores.total for equal in weights])
