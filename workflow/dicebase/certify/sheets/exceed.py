"""Check SheetChance and ChanceToExceed: compute every probability again from the rules alone."""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.by_score import to_reach
from dicebase.certify.sheets.one_roll.referee import count_decisions, scores_by_values
from dicebase.certify.sheets.payoffs import PROOF, check_values
from dicebase.certify.sheets.turn import cards_of
from dicebase.matches.sheets.exceed import ChanceToExceed, SheetChance


def check(listing: SheetChance | ChanceToExceed, published: Published, fail: Fail) -> Finding:
    """Enumerate the points that cards can score, and compute both columns again."""
    cards = cards_of(listing.rules)
    scores = to_reach(cards.turn, cards.there)
    *card, above, place = scores.rows(np.argwhere(cards.there) if listing.every else np.array([cards.fresh]))
    check_key_columns(published, [*card[: len(published.keys) - 1], above + 1], fail)
    last = int(scores.many[cards.fresh])
    payoff = (np.arange(last + 1) == last) * 1.0
    # A card's scores rise as the points needed fall.
    place += scores.many[tuple(card)] - 1 - 2 * above
    worst, bound = check_values(listing, cards, scores, published, place, payoff, 0.0, fail)
    value = float(published.values[(last + 1) // 2 - 1 - last])
    return Finding(value, worst + bound, worst + bound, worst, PROOF, *count_decisions(listing, published))


def simulated(listing: SheetChance | ChanceToExceed, published: Published, seed: int) -> Simulation | None:
    """Simulate cards filled by the published values if half of the most points are needed."""
    if isinstance(listing, SheetChance):  # decisions need the values of all cards
        return None

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        scores, moves = scores_by_values(listing, published, listing.middle, streams)
        return (scores >= listing.middle).astype(float), moves

    return simulate(play, seed, listing.value.unit)
