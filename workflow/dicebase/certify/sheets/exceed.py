"""Check SheetChance: compute every probability again from the rules alone."""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.by_score import to_reach
from dicebase.certify.sheets.payoffs import PROOF, check_values
from dicebase.certify.sheets.turn import cards_of
from dicebase.matches.sheets.exceed import SheetChance


def check(listing: SheetChance, published: Published, fail: Fail) -> Finding:
    """Enumerate the points that cards can score, and compute both columns again."""
    cards = cards_of(listing.rules)
    scores = to_reach(cards.turn, cards.there)
    last, listed = int(scores.many[cards.fresh]), cards.each() if listing.every else [cards.fresh]
    rows = sorted((*card, x) for card in listed for x in range(1, scores.many[card] + 1))
    check_key_columns(published, np.array(rows).T, fail)
    payoff = (np.arange(last + 1) == last) * 1.0
    worst, bound = check_values(listing, cards, scores, published, last - published.keys[3], payoff, 0.0, fail)
    value = float(published.values[(last + 1) // 2 - 1 - last])
    return Finding(value, worst + bound, worst + bound, worst, PROOF)
