"""Check SheetResponse: play the opponent's scores forward, and compute every probability from the rules alone."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.by_score import of_play
from dicebase.certify.sheets.distribution import played, rounding
from dicebase.certify.sheets.payoffs import PROOF, check_values
from dicebase.certify.sheets.turn import cards_of, fits, used
from dicebase.matches.sheets.versus import SheetResponse


def check(listing: SheetResponse, published: Published, fail: Fail) -> Finding:
    """Enumerate the points that play scores, and compute both columns again."""
    rules, cards = listing.rules, cards_of(listing.rules)
    turn, scored = cards.turn, {cards.fresh: {0}}
    for card in reversed([*cards.each()]) if listing.every else ():
        for points, then in {used(turn, e, *card) for e in range(len(turn.entries)) if fits(turn, e, card[0])}:
            scored.setdefault(then, set()).update(points + x for x in scored[card])
    rows = sorted((*card, x) for card, points in scored.items() for x in points)
    check_key_columns(published, np.array(rows).T, fail)
    payoff, scores = beats(played(cards, "optimal")), of_play(turn, cards.there)
    error = len(rules.boxes) * rounding(turn) + len(payoff) * EPSILON
    worst, bound = check_values(listing, cards, scores, published, published.keys[3], payoff, error, fail)
    return Finding(float(published.values[-1]), worst + bound, worst + bound, worst, PROOF)


def beats(chances: np.ndarray) -> np.ndarray:
    """Return P(less) + P(equal) / 2 for each score, compared with a random score of distribution `chances`."""
    below = np.concatenate([[0.0], np.cumsum(chances)])
    return (below[:-1] + below[1:]) / 2
