"""The exceed table of a score sheet: the chances of cards to score so many points more."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import SheetChance
from dicebase.solve.sheets.payoffs import earned_by, maximise
from dicebase.solve.sheets.plays import final_scores, strategies
from dicebase.solve.sheets.scores import scores_of_play, scores_to_reach
from dicebase.tables.writer import Rows


def tabulate(listing: SheetChance) -> Iterator[Rows]:
    """Both probabilities of every card that is listed and every number of points that it can score."""
    rules, reached, table = listing.rules, listing.reached, Rows(listing)
    optimal = strategies(rules, reached)["optimal"]
    scores = scores_to_reach(rules, reached)
    last = int(scores.many[rules.fresh.open, 0, 0])
    # To reach the greatest score; who needs so many points for that has scored the others.
    payoff = (np.arange(last + 1) == last) * 1.0
    best = maximise(rules, scores, payoff)
    *card, above, place = scores.rows(scores.cards if listing.every else np.array([rules.fresh]))
    needed, place = above + 1, place + scores.many[card[0], card[2], card[1]] - 2 * above - 1
    if listing.every:
        own = earned_by(rules, scores, payoff, optimal)[place]
    else:
        own = final_scores(rules, optimal, scores_of_play(rules, reached))[last::-1].cumsum()[::-1][needed]
    table.set_rows(*card, needed, best[place], own)
    yield table
