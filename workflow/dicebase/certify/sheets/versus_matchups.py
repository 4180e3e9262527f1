"""Check SheetMatchups: play every policy forward to find its scores, and compare every pair."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.sheets.distribution import played, rounding
from dicebase.certify.sheets.payoffs import respond
from dicebase.certify.sheets.turn import cards_of
from dicebase.certify.sheets.versus import beats
from dicebase.matches.sheets.versus_matchups import SheetMatchups


def check(listing: SheetMatchups, published: Published, fail: Fail) -> Finding:
    """Solve the best responses again and compare every number of every pair."""
    rules, cards, names = listing.rules, cards_of(listing.rules), listing.policies
    check_keys(published, [(row, column) for row in names for column in names], fail)
    chances = {name: played(cards, name)[0] for name in names if not name.startswith("response")}
    value, chances["response"] = respond(cards, beats(chances["optimal"]))
    _, chances["response_2"] = respond(cards, beats(chances["response"]))
    pairs = list(zip(*(key.tolist() for key in published.keys), strict=True))
    again = np.array([[chances[r] @ beats(chances[c]), chances[r] @ chances[c]] for r, c in pairs]).T
    bound = 8 * len(rules.boxes) * (rounding(cards.turn) + EPSILON / 2 * len(cards.turn.ways))
    worst = 0.0
    for name, theirs, ours in zip(("probability", "tie"), (published.values, published.more[0]), again, strict=True):
        wrong = ~(np.abs(theirs - ours) <= bound)
        refuse(published.keys, fail, wrong, f"{name} is {{!r}}, recomputed it is {{!r}}", theirs, ours)
        worst = max(worst, float(np.abs(theirs - ours).max()))
    return Finding(value, bound, bound, worst, "both played forward in doubles: no number differs by more")
