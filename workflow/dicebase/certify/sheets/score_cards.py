"""Certify a card of pars: recompute from the rules what it earns and what optimal play earns.

The solver plays a card forward from the empty sheet. Here its values are computed backward from full sheets, with the
turns of distribution.py. Only a card as good as optimal play is claimed to be the best.
"""

import numpy as np

from dicebase.certify.card_claims import check_proved
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.certify.sheets.distribution import ends, rounding
from dicebase.certify.sheets.turn import Cards, cards_of, fits, one_turn, used
from dicebase.matches.sheets.score_cards import PAR, Pars, ScoreCards, read_pars
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.kernels import kernel

PROOF = "the card and optimal play backward in doubles; the search for better cards is not repeated"


def check(listing: ScoreCards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of the card."""
    check_keys(published, [(PAR,)], fail)
    (cost,), ((least,), (proved,), (words,), (policy,)) = published.values, published.more
    try:
        card = read_pars(policy, listing.rules.boxes)
    except ConfigurationError as error:
        fail((PAR,), str(error))
    right = card.numbers == listing.numbers and policy == card.text(listing.rules.boxes)
    if not right or words != listing.in_words(card):
        fail((PAR,), f"'{policy}' is not a card with this many numbers, or its words differ")
    check_proved(PAR, cost, least, proved, fail)
    if least != 0.0:
        fail((PAR,), f"least_cost is {float(least)!r}, but the search proves only 0")
    cards = cards_of(listing.rules)
    entries = cards.turn.entries
    # No throw has a larger value. Terms are not negative, so each turn adds a few relative roundings to a value.
    most = float(cards.values.max() + (entries[:, 1] + entries[:, 3]).max() + cards.turn.upper_bonus)
    a_turn = 2 * (rounding(cards.turn) + EPSILON * (len(entries) + 3)) * most + one_turn(cards.turn, most)
    bound = len(listing.rules.boxes) * a_turn + 4 * EPSILON * most
    again = max(0.0, float(cards.values[cards.fresh]) - earned(cards, card))
    if not abs(cost - again) <= bound:
        fail((PAR,), f"cost is {float(cost)!r}, recomputed it is {again!r}")
    return Finding(float(cost), 2 * bound, 2 * bound, abs(float(cost) - again), PROOF, actions=0)


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
