"""The versus table of a score sheet: the best response to the strategy for the most points."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.versus import SheetResponse
from dicebase.solve.sheets.payoffs import maximise
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows


def tabulate(listing: SheetResponse) -> Iterator[Rows]:
    """The probabilities of every card and every number of points that play comes to it with."""
    rules, reached = listing.rules, listing.reached
    optimal = strategies(rules, solve_sheet(rules, reached))["optimal"]
    payoff = beats(final_scores(rules, optimal, reached)[: listing.most[rules.fresh] + 1])
    arrays = maximise(rules, reached, payoff, optimal)
    found = [
        (card.open, card.upper, card.bonus, points)
        for card, scored in listing.scored.items()
        for points in range(scored.bit_length())
        if scored >> points & 1
    ]
    opened, upper, bonus, scored = np.array(sorted(found)).T
    rows = Rows(listing)
    rows.set_rows(opened, upper, bonus, scored, *(array[opened, bonus, upper, scored] for array in arrays))
    yield rows


def beats(chances: np.ndarray) -> np.ndarray:
    """P(less) + P(equal) / 2 of each score against one with these chances."""
    return np.cumsum(chances) - chances / 2
