"""The versus table of a score sheet: the best response to the strategy for the most points."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.versus import SheetResponse
from dicebase.solve.sheets.payoffs import earned_by, maximise
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scores_of_play
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows


def tabulate(listing: SheetResponse) -> Iterator[Rows]:
    """The probabilities of every card that is listed and every number of points that play comes to it with."""
    rules, reached, rows = listing.rules, listing.reached, Rows(listing)
    optimal = strategies(rules, solve_sheet(rules, reached))["optimal"]
    scores = scores_of_play(rules, reached)
    chances = final_scores(rules, optimal, scores)
    payoff = beats(chances)
    best = maximise(rules, scores, payoff)
    if not listing.every:
        fresh = rules.fresh
        rows.add_row(*fresh, 0, float(best[scores.first[fresh.open, 0, 0]]), float(chances @ payoff))
        yield rows
        return
    found = [
        (card.open, card.upper, card.bonus, points)
        for card, scored in listing.scored.items()
        for points in range(scored.bit_length())
        if scored >> points & 1
    ]
    opened, upper, bonus, scored = np.array(sorted(found)).T
    place = scores.first[opened, bonus, upper] + scored - scores.low[opened, bonus, upper]
    own = earned_by(rules, scores, payoff, optimal)
    rows.set_rows(opened, upper, bonus, scored, best[place], own[place])
    yield rows


def beats(chances: np.ndarray) -> np.ndarray:
    """P(less) + P(equal) / 2 of each score against one with these chances."""
    return np.cumsum(chances) - chances / 2
