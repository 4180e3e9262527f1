"""The exceed table of a scorecard: the probabilities before the roll, from which decisions follow."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import ChanceToExceed
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.one_roll.arrays import rows_of_payoff


def tabulate(listing: ChanceToExceed) -> Iterator[Rows]:
    """Both probabilities for every set of free slots and every number of points."""
    card = Card(listing.rules)
    needed = [np.arange(1, most + 1) for most in listing.most]
    # The goal is the greatest score: a player who needs some of its points has scored the others.
    greatest = (np.arange(card.size) == card.size - 1) * 1.0
    scored = [listing.most[-1] - points for points in needed]
    yield rows_of_payoff(listing, card, (greatest, greatest), needed, scored)
