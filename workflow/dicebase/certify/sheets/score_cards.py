"""Certify a card of pars: recompute from the rules what it earns and what optimal play earns.

The solver plays a card forward from the empty sheet. Here its values are computed backward from full sheets, with the
turns of distribution.py. Only a card as good as optimal play is claimed to be the best.
"""

import numpy as np

from dicebase.certify.card_claims import Claims, Number
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.distribution import ends, rounding
from dicebase.certify.sheets.turn import Cards, cards_of, fits, one_turn, used
from dicebase.matches.sheets.score_cards import PAR, Pars, ScoreCards, read_pars
from dicebase.vocabulary.kernels import kernel


def check(listing: ScoreCards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of the card."""
    found, least = _Play.check(listing, published, fail), published.more[0][0]
    if least != 0.0:
        fail((PAR,), f"least_cost is {float(least)!r}, but the search proves only 0")
    return found


class _Play(Claims):
    """The points that cards of pars earn."""

    listing: ScoreCards
    proof = "the card and optimal play backward in doubles; the search for better cards is not repeated"

    def cost(self, policy: str) -> Number:
        rules, cards = self.listing.rules, cards_of(self.listing.rules)
        entries = cards.turn.entries
        # No throw has a larger value. Terms are not negative, so each turn adds a few relative roundings to a value.
        most = float(cards.values.max() + (entries[:, 1] + entries[:, 3]).max() + cards.turn.upper_bonus)
        a_turn = 2 * (rounding(cards.turn) + EPSILON * (len(entries) + 3)) * most + one_turn(cards.turn, most)
        lost = float(cards.values[cards.fresh]) - earned(cards, read_pars(policy, rules.boxes))
        return max(0.0, lost), len(rules.boxes) * a_turn + 4 * EPSILON * most


def earned(cards: Cards, card: Pars) -> float:
    """Return the expected points of a card."""
    values = np.zeros(cards.there.shape)
    box, points, upper = cards.turn.entries[:, :3].T
    rated = points + card.weight * (upper - np.array(cards.rules.shares)[box]) - np.array(card.pars)[box]
    _backward(cards.turn, cards.there, rated, values)
    return float(values[cards.fresh])


@kernel(_nrt=True)
def _backward(turn, there, rated, values):
    """Fill in `values`, (open boxes, upper total, bonus), of a policy that rates entries by `rated`, (entries,), plus
    their further points, at every upper total. there : of the same shape, whether play reaches the card."""
    for opened in range(1, len(there)):
        columns = 1 + there[opened, :, 1:].any()
        of_entries, chosen = np.full((len(rated), columns), -np.inf), np.zeros((len(rated), columns))
        for e in range(len(rated)):
            if fits(turn, e, opened):
                for bonus in range(columns):
                    of_entries[e, bonus] = rated[e] + bonus * turn.entries[e, 3]
        ends(turn, of_entries, chosen, np.ones(columns), None)
        for e in range(len(rated)):
            for bonus in range(columns):
                for upper in range(there.shape[1] if chosen[e, bonus] > 0.0 else 0):
                    gained, then = used(turn, e, opened, upper, bonus)
                    values[opened, upper, bonus] += chosen[e, bonus] * (gained + values[then])
