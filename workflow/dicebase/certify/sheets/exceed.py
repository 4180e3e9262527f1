"""SheetChance: every chance again from the published ones of the cards with one box less open."""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.payoffs import Card, cards_of, check_rows, check_values, rounding
from dicebase.matches.exceed import SheetChance


def check(listing: SheetChance, published: Published, fail: Fail) -> Finding:
    """Count the points that cards can score, and recompute both columns."""
    cards = cards_of(listing.rules)
    most: dict[Card, int] = {}
    for card in cards.each():
        most[card] = max(points + most.get(then, 0) for points, then in cards.after(card))
    check_rows(published, ((*card, x) for card, points in most.items() for x in range(1, points + 1)), fail)
    fresh = (listing.rules.fresh.open, 0, 0)
    last = most[fresh]
    worst = check_values(cards, published, last - published.keys[3], (np.arange(last + 1) == last) * 1.0, fail)
    of_fresh = np.logical_and.reduce([key == x for key, x in zip(published.keys, fresh, strict=False)])
    value = float(published.values[of_fresh][(last + 1) // 2 - 1])
    error = len(listing.rules.boxes) * (worst + rounding(cards.turn))
    return Finding(value, error, error, worst, "residuals, summed over the number of open boxes")
