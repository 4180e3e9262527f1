"""SheetResponse: the opponent's scores played forward, every chance again from the published ones of later cards."""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.distribution import played
from dicebase.certify.sheets.payoffs import cards_of, check_rows, check_values, rounding
from dicebase.certify.sheets.turn import most_points
from dicebase.matches.versus import SheetResponse


def check(listing: SheetResponse, published: Published, fail: Fail) -> Finding:
    """Count the points that play scores, and recompute both columns."""
    rules, cards = listing.rules, cards_of(listing.rules)
    scored = {(rules.fresh.open, 0, 0): {0}}
    for card in reversed([*cards.each()]):
        for points, then in set(cards.after(card)):
            scored.setdefault(then, set()).update(points + x for x in scored[card])
    check_rows(published, ((*card, x) for card, points in scored.items() for x in points), fail)
    chances = played(rules, cards.turn, "optimal", cards.values, cards.there)[: most_points(cards.turn) + 1]
    worst = check_values(cards, published, published.keys[3], beats(chances), fail)
    error = (len(rules.boxes) + 1) * (worst + rounding(cards.turn) * (len(rules.boxes) + 1))
    return Finding(float(published.values[-1]), error, error, worst, "residuals, summed over the number of open boxes")


def beats(chances: np.ndarray) -> np.ndarray:
    """P(less) + P(equal) / 2 of each score against one with these chances."""
    below = np.concatenate([[0.0], np.cumsum(chances)])
    return (below[:-1] + below[1:]) / 2
