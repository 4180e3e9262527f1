"""The versus table of a scorecard: the best response to the score-optimal strategy, from which decisions follow."""

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from dicebase.matches.versus import BestResponse
from dicebase.solve.sheets.one_roll.distribution import Scores
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.one_roll.arrays import rows_of_payoff


def tabulate(listing: BestResponse) -> Iterator[Rows]:
    """The probabilities of every set of free slots and every number of points that play can reach."""
    scores = Scores(listing.rules.weights, listing.rules.factors)
    points = [np.array(scored) for scored in listing.reached]
    yield rows_of_payoff(listing, scores, *_opponent(scores), points, points)


def _opponent(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """P(less) + P(equal) / 2 and P(equal), by final score from the least; each rounded once."""
    optimal = scores.optimal()
    weights = [optimal.get(scores.least + s, 0) for s in range(scores.size)]
    below = [0, *accumulate(weights)]
    payoff = [(2 * less + equal) / (2 * scores.total) for less, equal in zip(below, weights, strict=False)]
    return np.array(payoff), np.array([equal / scores.total for equal in weights])
