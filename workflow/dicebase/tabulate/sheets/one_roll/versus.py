"""The versus table of a scorecard: the best response to the score-optimal strategy, from which decisions follow."""

from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from dicebase.matches.versus import BestResponse
from dicebase.solve.sheets.one_roll.policies import Card
from dicebase.tables.writer import Rows
from dicebase.tabulate.sheets.one_roll.arrays import rows_of_payoff


def tabulate(listing: BestResponse) -> Iterator[Rows]:
    """The probabilities of every set of free slots and every number of points that play can reach."""
    card, points = Card(listing.rules), [np.array(scored) for scored in listing.reached]
    yield rows_of_payoff(listing, card, _against(card), points, points)


def _against(card: Card) -> tuple[np.ndarray, np.ndarray]:
    """P(less) + P(equal) / 2 and P(equal) of the opponent, by final score from the least; each rounded once."""
    games = card.play_optimal()
    below = [0, *accumulate(games)]
    payoff = [(2 * less + equal) / (2 * card.rules.games) for less, equal in zip(below, games, strict=False)]
    return np.array(payoff), np.array([equal / card.rules.games for equal in games])
