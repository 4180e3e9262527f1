"""The exceed table of a scorecard: the probabilities before the roll, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import ChanceToExceed
from dicebase.solve.sheets.one_roll.distribution import Scores
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.one_roll.arrays import rows_of_payoff


def tabulate(listing: ChanceToExceed) -> Iterator[Rows]:
    """Both probabilities for every set of free slots and every number of points."""
    scores = Scores(listing.rules.weights, listing.rules.factors)
    needed = [np.arange(1, most + 1) for most in listing.most]
    # To reach the greatest score; who needs so many points for that has scored the others.
    greatest = np.arange(scores.size) == scores.size - 1
    yield rows_of_payoff(listing, scores, greatest, greatest, needed, [listing.most[-1] - points for points in needed])
