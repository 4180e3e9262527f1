"""The versus table of a scorecard: the best response to the score-optimal strategy, from which decisions follow."""

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from dicebase.matches.versus import BestResponse
from dicebase.solve.scorecards.distribution import Scores
from dicebase.solve.scorecards.versus import respond
from dicebase.tables.writer import Rows
from dicebase.tabulate.scorecards.arrays import chosen_slots, probabilities_of


def tabulate(listing: BestResponse) -> Iterator[Rows]:
    """The probabilities of every set of free slots and every number of points that play can reach."""
    rules = listing.rules
    scores = Scores(rules.weights, rules.factors)
    arrays = respond(probabilities_of(rules), scores.shifts, chosen_slots(rules), *_opponent(scores))
    least = scores.gains.min(axis=1)
    parts = []
    for free, scored in enumerate(listing.reached):
        filled = sum(int(least[i]) for i in range(rules.slots) if not free >> i & 1)
        points = np.array(scored)
        parts.append((np.full(len(points), free), points, *(array[free, points - filled] for array in arrays)))
    rows = Rows(listing)
    rows.set_rows(*map(np.concatenate, zip(*parts, strict=True)))
    yield rows


def _opponent(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """P(less) + P(equal) / 2 and P(equal), by final score from the least; each rounded once."""
    optimal = scores.optimal()
    weights = [optimal.get(scores.least + s, 0) for s in range(scores.size)]
    below = [0, *accumulate(weights)]
    payoff = [(2 * less + equal) / (2 * scores.total) for less, equal in zip(below, weights, strict=False)]
    return np.array(payoff), np.array([equal / scores.total for equal in weights])
