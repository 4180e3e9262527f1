"""Values of cards by the points scored, for a payoff of the final score: computed again from the rules (by_score.py),
and what a turn of the best strategy for points ends with (distribution.py). No published value is used.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.published import Published, refuse
from dicebase.certify.sheets.by_score import Scores, edges, entry_payoffs, greatest, of_play
from dicebase.certify.sheets.distribution import ends, played
from dicebase.certify.sheets.score import one_turn
from dicebase.certify.sheets.turn import Turn, empty, entry_worths, fits, most_points, reach, starts, turn_of, used
from dicebase.matches.sheets import OfPoints
from dicebase.vocabulary import Sheet

PROOF = "each computed again from the rules alone: no number differs by more"

Card = tuple[int, int, int]
"""(open boxes, upper total, bonus)."""


class Cards(NamedTuple):
    """A sheet, its turn, the cards that play comes to, marked, and what they are worth to who plays for points."""

    rules: Sheet
    turn: Turn
    there: np.ndarray
    values: np.ndarray

    def each(self) -> Iterator[Card]:
        """Those with an open box, by rising open boxes."""
        yield from (tuple(card) for card in np.argwhere(self.there).tolist() if card[0])

    def after(self, card: Card) -> set[tuple[int, Card]]:
        """(points, the card then) of all ways to fill a box."""
        return {used(self.turn, e, *card) for e in range(len(self.turn.entries)) if fits(self.turn, e, card[0])}


def cards_of(rules: Sheet) -> Cards:
    """The cards of a sheet."""
    turn = turn_of(rules)
    there = empty(rules, turn)
    reach(turn, there)
    values = np.zeros(there.shape)
    starts(turn, there, values, values, np.zeros(len(there)))
    return Cards(rules, turn, there, values)


def rounding(turn: Turn) -> float:
    """How far a turn that is played forward is rounded, as a part of any number."""
    return EPSILON * (len(turn.begin) + 2 * len(turn.of) + len(turn.ways))


def check_values(
    listing: OfPoints, cards: Cards, scores: Scores, published: Published, scored: np.ndarray, payoff: np.ndarray,
    error: float, fail: Fail,
) -> tuple[float, float]:  # fmt: skip
    """(the largest difference, how wrong a number of the check can be); fails where a published value, or the one
    beside it of who plays for points, is another one.

    scored : (rows,) the points that a row stands for. payoff : by final score, each wrong by that part of it. All are
    means of what is not less than 0: what is rounded in a game is a part of the number, too.
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
    """(the greatest mean payoff, the probability of each final score of who plays for it)."""
    scores = of_play(cards.turn, cards.there)
    values = greatest(cards.turn, cards.there, scores, payoff)
    fresh = (len(cards.there) - 1, 0, 0)
    chances = np.zeros((*cards.there.shape, len(payoff)))
    chances[fresh][0] = 1
    for card in reversed([*cards.each()]):
        points = np.flatnonzero(chances[card])
        if not len(points):
            continue
        worth = entry_payoffs(cards.turn, *card, points, scores, values)
        chosen = np.zeros(worth.shape)
        ends(cards.turn, worth, chosen)
        for e in np.flatnonzero(chosen.any(axis=1)):
            earned, then = used(cards.turn, e, *card)
            chances[then][points + earned] += chosen[e] * chances[card][points]
    return float(values[scores.first[fresh]]), chances[0].sum(axis=(0, 1))


def _from_the_start(cards: Cards, payoff: np.ndarray, scored: np.ndarray) -> np.ndarray:
    """The mean payoff of who plays for points, of a fresh card with so many points."""
    chances = forward(cards)
    final = np.minimum(scored[:, np.newaxis] + np.arange(len(chances)), len(payoff) - 1)
    return payoff[final] @ chances


def forward(cards: Cards) -> np.ndarray:
    """The probability of each final score of who plays for points."""
    size = most_points(cards.turn) + 1
    return played(cards.rules, cards.turn, "optimal", cards.values, cards.there)[:size]


def _earned(cards: Cards, scores: Scores, payoff: np.ndarray, of: tuple, scored: np.ndarray) -> np.ndarray:
    """The mean payoff of who plays for points, of these cards with so many points; they are in order."""
    turn, values = cards.turn, scores.values(cards.there)
    for card in map(tuple, np.argwhere(cards.there).tolist()):
        here, points = scores.first[card], scores.low[card] + np.arange(scores.many[card])
        if card[0]:
            of_points = entry_worths(turn, card[0], np.array([card[1]]), np.array([card[2]]), cards.values)
            chosen = np.zeros(of_points.shape)
            ends(turn, of_points, chosen)
            worth = entry_payoffs(turn, *card, points, scores, values)
            values[here : here + len(points)] = chosen[:, 0] @ np.where(chosen > 0, worth, 0.0)
        edges(values, scores, *card, payoff)
    return values[scores.first[of] + scored - scores.low[of]]
