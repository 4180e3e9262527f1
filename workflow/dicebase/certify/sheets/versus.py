"""SheetResponse: the opponent's scores played forward, every chance computed again from the rules alone."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.by_score import of_play
from dicebase.certify.sheets.payoffs import PROOF, cards_of, check_values, forward, rounding
from dicebase.matches.versus import SheetResponse

simulated = unplayed


def check(listing: SheetResponse, published: Published, fail: Fail) -> Finding:
    """Count the points that play scores, and compute both columns again."""
    rules, cards = listing.rules, cards_of(listing.rules)
    scored = {(rules.fresh.open, 0, 0): {0}}
    for card in reversed([*cards.each()]) if listing.every else ():
        for points, then in cards.after(card):
            scored.setdefault(then, set()).update(points + x for x in scored[card])
    rows = sorted((*card, x) for card, points in scored.items() for x in points)
    check_key_columns(published, np.array(rows).T, fail)
    payoff, scores = beats(forward(cards)), of_play(cards.turn, cards.there)
    error = len(rules.boxes) * rounding(cards.turn) + len(payoff) * EPSILON
    worst, bound = check_values(listing, cards, scores, published, published.keys[3], payoff, error, fail)
    return Finding(float(published.values[-1]), worst + bound, worst + bound, worst, PROOF)


def beats(chances: np.ndarray) -> np.ndarray:
    """P(less) + P(equal) / 2 of each score against one with these chances."""
    below = np.concatenate([[0.0], np.cumsum(chances)])
    return (below[:-1] + below[1:]) / 2
