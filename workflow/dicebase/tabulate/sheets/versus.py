"""The versus table of a score sheet: the best response to the strategy for the most points."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.versus import SheetResponse
from dicebase.solve.sheets.payoffs import earned_by, maximise
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scored, scores_of_play
from dicebase.tables.writer import Rows


def tabulate(listing: SheetResponse) -> Iterator[Rows]:
    """The probabilities of every card that is listed and every number of points that play comes to it with."""
    rules, reached, table = listing.rules, listing.reached, Rows(listing)
    optimal = strategies(rules, reached)["optimal"]
    scores = scores_of_play(rules, reached)
    chances = final_scores(rules, optimal, scores)
    payoff = beats(chances)
    best = maximise(rules, scores, payoff)
    rows = np.array(scores.rows(scores.cards if listing.every else np.array([rules.fresh])))
    if listing.every:
        rows = rows[:, scored(rules, scores)[rows[-1]]]
    *card, above, place = rows
    own = earned_by(rules, scores, payoff, optimal)[place] if listing.every else np.array([chances @ payoff])
    table.set_rows(*card, scores.low[card[0], card[2], card[1]] + above, best[place], own)
    yield table


def beats(chances: np.ndarray) -> np.ndarray:
    """P(less) + P(equal) / 2 of each score against one with these chances."""
    return np.cumsum(chances) - chances / 2
