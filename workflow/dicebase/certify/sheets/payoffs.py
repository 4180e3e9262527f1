"""Check values of cards by points scored, for a payoff of the final score: recompute them from the rules (by_score.py,
distribution.py), without published values."""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.published import Published, refuse
from dicebase.certify.sheets.by_score import Scores, edges, entry_payoffs, greatest, of_play
from dicebase.certify.sheets.distribution import ends, played, rounding
from dicebase.certify.sheets.turn import Cards, entry_worths, one_turn, used
from dicebase.matches.sheets.sheets import SheetPoints

PROOF = "each recomputed from the rules: no number differs by more"


def check_values(
    listing: SheetPoints, cards: Cards, scores: Scores, published: Published, scored: np.ndarray, payoff: np.ndarray,
    error: float, fail: Fail,
) -> tuple[float, float]:  # fmt: skip
    """Fail unless the published values, and those of the score-optimal strategy, agree with ours; return the largest
    difference and the error bound of our numbers.

    scored : (rows,), the points of each row. payoff : by final score, with relative error `error`. All numbers are
    expectations of nonnegative terms, so rounding is relative as well.
    """
    turn, boxes = cards.turn, len(listing.rules.boxes)
    card = tuple(published.keys[:3])
    best = greatest(turn, cards.there, scores, payoff)[scores.first[card] + scored - scores.low[card]]
    mean = _earned(cards, scores, payoff, card, scored) if listing.every else _from_the_start(cards, payoff, scored)
    bounds = error + boxes * one_turn(turn, 1.0), error + boxes * rounding(turn) + len(payoff) * EPSILON
    (own,) = published.more
    worst, said = 0.0, (("value", published.values, best), ("score_optimal", own, mean))
    for (name, values, ours), bound in zip(said, bounds, strict=True):
        differ = np.abs(ours - values)
        wrong = ~(differ <= 2 * bound * ours)
        refuse(published.keys, fail, wrong, f"{name} is {{!r}}, the rules give {{!r}}", values, ours)
        worst = max(worst, float(differ.max()))
    return worst, max(bounds)


def respond(cards: Cards, payoff: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the greatest expected payoff, and the probability of each final score under the policy that earns it."""
    scores = of_play(cards.turn, cards.there)
    values, chances = greatest(cards.turn, cards.there, scores, payoff), scores.start(cards)
    for card in reversed([*cards.each()]):
        above = np.flatnonzero(chances[scores.first[card] :][: scores.many[card]])
        points = scores.low[card] + above
        worth = entry_payoffs(cards.turn, *card, points, scores, values)
        chosen = np.zeros(worth.shape)
        ends(cards.turn, worth, chosen, np.ones(len(points)), None)
        for e in np.flatnonzero(chosen.any(axis=1)):
            earned, then = used(cards.turn, e, *card)
            places = scores.first[then] + points + earned - scores.low[then]
            chances[places] += chosen[e] * chances[scores.first[card] + above]
    return float(values[scores.first[cards.fresh]]), scores.final(chances)


def _from_the_start(cards: Cards, payoff: np.ndarray, scored: np.ndarray) -> np.ndarray:
    """Return the expected payoff of the score-optimal strategy from a fresh card with these points."""
    chances = played(cards, "optimal")
    final = np.minimum(scored[:, np.newaxis] + np.arange(len(chances)), len(payoff) - 1)
    return payoff[final] @ chances


def _earned(cards: Cards, scores: Scores, payoff: np.ndarray, of: tuple, scored: np.ndarray) -> np.ndarray:
    """Return the expected payoff of the score-optimal strategy from these cards and points."""
    turn, values = cards.turn, np.zeros(scores.size)
    for card in map(tuple, np.argwhere(cards.there).tolist()):
        here, points = scores.first[card], scores.low[card] + np.arange(scores.many[card])
        if card[0]:
            of_points = entry_worths(turn, card[0], np.array([card[1]]), np.array([card[2]]), cards.values)
            chosen = np.zeros(of_points.shape)
            ends(turn, of_points, chosen, np.ones(1), None)
            worth = entry_payoffs(turn, *card, points, scores, values)
            values[here : here + len(points)] = chosen[:, 0] @ np.where(chosen > 0, worth, 0.0)
        edges(values, scores, *card, payoff)
    return values[scores.first[of] + scored - scores.low[of]]
