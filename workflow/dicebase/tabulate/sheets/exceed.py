"""The exceed table of a score sheet: the chances of cards to score so many points more."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import SheetChance
from dicebase.solve.sheets.payoffs import earned_by, maximise
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scores_of_play, scores_to_reach
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows


def tabulate(listing: SheetChance) -> Iterator[Rows]:
    """Both probabilities of every card that is listed and every number of points that it can score."""
    rules, reached, rows = listing.rules, listing.reached, Rows(listing)
    optimal = strategies(rules, solve_sheet(rules, reached))["optimal"]
    scores = scores_to_reach(rules, reached)
    last = int(scores.many[rules.fresh.open, 0, 0])
    # To reach the greatest score; who needs so many points for that has scored the others.
    payoff = (np.arange(last + 1) == last) * 1.0
    best = maximise(rules, scores, payoff)
    cards = np.argwhere(scores.there.transpose(0, 2, 1)) if listing.every else np.array([rules.fresh])
    opened, upper, bonus = cards[cards[:, 0] > 0].T
    many = scores.many[opened, bonus, upper]
    needed = np.concatenate([np.arange(1, most + 1) for most in many])
    place = np.repeat(scores.first[opened, bonus, upper] + many, many) - needed
    if listing.every:
        own = earned_by(rules, scores, payoff, optimal)[place]
    else:
        own = final_scores(rules, optimal, scores_of_play(rules, reached))[last::-1].cumsum()[::-1][needed]
    rows.set_rows(*(np.repeat(column, many) for column in (opened, upper, bonus)), needed, best[place], own)
    yield rows
