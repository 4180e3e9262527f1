"""The exceed table of a score sheet: the chances of every card to score so many points more."""

from collections.abc import Iterator

import numpy as np

from dicebase.matches.exceed import SheetChance
from dicebase.solve.sheets.payoffs import maximise
from dicebase.solve.sheets.plays import strategies
from dicebase.solve.sheets.values import solve_sheet
from dicebase.tables.writer import Rows


def tabulate(listing: SheetChance) -> Iterator[Rows]:
    """Both probabilities for every card and every number of points that it can score."""
    rules, reached, most = listing.rules, listing.reached, listing.most
    optimal = strategies(rules, solve_sheet(rules, reached))["optimal"]
    last = most[rules.fresh]
    # To reach the greatest score; who needs so many points for that has scored the others.
    arrays = maximise(rules, reached, np.arange(last + 1) == last, optimal)
    cards = [(*card, points) for card, points in most.items() if card.open]
    opened, upper, bonus, _ = np.repeat(cards, [points for *_, points in cards], axis=0).T
    needed = np.concatenate([np.arange(1, points + 1) for *_, points in cards])
    rows = Rows(listing)
    order = np.lexsort((needed, bonus, upper, opened))
    place = tuple(column[order] for column in (opened, bonus, upper, last - needed))
    rows.set_rows(*(c[order] for c in (opened, upper, bonus, needed)), *(array[place] for array in arrays))
    yield rows
