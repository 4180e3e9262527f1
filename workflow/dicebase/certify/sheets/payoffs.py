"""Values of cards by the points scored, for a payoff of the final score: each again from those with one box less open,
turn by turn (turn.py), and from what a turn of the best strategy for points ends with (distribution.py)."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numba import njit

from dicebase.certify.finding import EPSILON, Fail
from dicebase.certify.published import Published, check_keys, refuse
from dicebase.certify.sheets.distribution import ends
from dicebase.certify.sheets.turn import (
    Turn,
    best_keeps,
    empty,
    entry_worths,
    keeps,
    last_throws,
    reach,
    starts,
    turn_of,
)
from dicebase.vocabulary import Sheet

Card = tuple[int, int, int]
"""(open boxes, upper total, bonus)."""


class Cards(NamedTuple):
    """A sheet's turn, the cards that play comes to, marked, and what they are worth to who plays for points."""

    turn: Turn
    there: np.ndarray
    values: np.ndarray

    def each(self) -> Iterator[Card]:
        """Those with an open box, by rising open boxes."""
        yield from (tuple(card) for card in np.argwhere(self.there).tolist() if card[0])

    def after(self, card: Card) -> Iterator[tuple[int, Card]]:
        """(points, the card then) of all ways to fill a box."""
        opened, upper, bonus = card
        at = self.turn.upper_at
        for box, points, more, further, earns, among, needed in self.turn.entries.tolist():
            if opened >> box & 1 and opened & among == needed:
                bonuses = further * bonus + self.turn.upper_bonus * (upper < at <= upper + more)
                yield points + bonuses, (opened & ~(1 << box), min(at, upper + more), bonus | earns)


def cards_of(rules: Sheet) -> Cards:
    """The cards of a sheet."""
    turn = turn_of(rules)
    there = empty(rules, turn)
    reach(turn, there)
    values = np.zeros(there.shape)
    starts(turn, there, values, values, np.zeros(len(there)))
    return Cards(turn, there, values)


def rounding(turn: Turn) -> float:
    """Of a turn, in payoffs of at most 1."""
    return EPSILON * (len(turn.begin) + 2 * len(turn.of) + len(turn.ways))


def check_values(cards: Cards, published: Published, scored: np.ndarray, payoff: np.ndarray, fail: Fail) -> float:
    """Fail where a published value, or the one beside it of who plays for points, does not follow; returns the largest
    residual.

    scored : (rows,) the points that a row stands for. payoff : by final score; of higher ones it is that of the last.
    """
    shape = (*cards.there.shape, len(payoff))
    worst, place = 0.0, (*(published.keys[i] for i in (0, 1, 2)), scored)
    (own,) = published.more
    for name, values in (("value", published.values), ("score_optimal", own)):
        ahead, again = np.zeros(shape), np.zeros(len(values))
        ahead[..., -1] = payoff[-1]
        ahead[0] = payoff
        ahead[place] = values
        for card, rows in _by_card(published.keys):
            points = scored[rows]
            again[rows] = payoff[points] if card[0] == 0 else _turn(cards, card, points, ahead, name == "value")
        residual = np.abs(again - values)
        wrong = ~(residual <= 2 * rounding(cards.turn))
        refuse(published.keys, fail, wrong, f"{name} is {{!r}}, the rules give {{!r}}", values, again)
        worst = max(worst, float(residual.max()))
    return worst


def check_rows(published: Published, expected: Iterator[tuple], fail: Fail) -> None:
    """Fail where the rows are not these cards and points."""
    ours = np.array(sorted(expected)).T
    if not all(map(np.array_equal, published.keys, ours)):
        check_keys(published, zip(*ours.tolist(), strict=True), fail)


def respond(cards: Cards, payoff: np.ndarray) -> tuple[float, np.ndarray]:
    """(the greatest mean payoff, the probability of each final score of who plays for it)."""
    ahead = np.zeros((*cards.there.shape, len(payoff)))
    ahead[0] = payoff
    every = np.arange(len(payoff))
    for card in cards.each():
        ahead[card] = _turn(cards, card, every, ahead, True)
    fresh = (len(cards.there) - 1, 0, 0)
    chances = np.zeros(ahead.shape)
    chances[fresh][0] = 1
    for card in reversed([*cards.each()]):
        points = np.flatnonzero(chances[card])
        if not len(points):
            continue
        worth = entry_payoffs(cards.turn, *card, points, ahead)
        chosen = np.zeros(worth.shape)
        ends(cards.turn, worth, chosen)
        for e in np.flatnonzero(chosen.any(axis=1)):
            ((earned, then),) = Cards(cards.turn._replace(entries=cards.turn.entries[[e]]), *cards[1:]).after(card)
            chances[then][points + earned] += chosen[e] * chances[card][points]
    return float(ahead[fresh][0]), chances[0].sum(axis=(0, 1))


def _by_card(keys: list[np.ndarray]) -> Iterator[tuple[Card, np.ndarray]]:
    """(a card, its rows); rows are in order."""
    card = np.stack(keys[:3])
    begins = np.flatnonzero(np.r_[True, (np.diff(card) != 0).any(axis=0)])
    for rows in np.split(np.arange(card.shape[1]), begins[1:]):
        yield tuple(card[:, rows[0]].tolist()), rows


def _turn(cards: Cards, card: Card, points: np.ndarray, ahead: np.ndarray, best: bool) -> np.ndarray:
    """What a turn is worth from a card with these points: the best one, or that of who plays for points."""
    turn, worth = cards.turn, entry_payoffs(cards.turn, *card, points, ahead)
    if not best:
        of_points = entry_worths(turn, card[0], np.array([card[1]]), np.array([card[2]]), cards.values)
        chosen = np.zeros(of_points.shape)
        ends(turn, of_points, chosen)
        return chosen[:, 0] @ np.where(chosen > 0, worth, 0.0)
    throws, means = (np.empty((len(begins) - 1, len(points))) for begins in (turn.of, turn.begin))
    last_throws(turn, worth, throws)
    for _ in range(turn.rolls - 1):
        keeps(turn, throws, means)
        best_keeps(turn, means, throws)
    keeps(turn, throws, means)
    return means[0]


@njit(cache=True, nogil=True)
def entry_payoffs(turn, opened, upper, bonus, points, ahead):
    """What each entry is worth with these points, (entries, points); less than all where it is not allowed.

    ahead : (open boxes, upper total, bonus, points).
    """
    worth = np.full((len(turn.entries), len(points)), -np.inf)
    for e in range(len(turn.entries)):
        box, earned, more, further, earns, among, needed = turn.entries[e]
        if opened >> box & 1 and opened & among == needed:
            earned += further * bonus
            if upper < turn.upper_at <= upper + more:
                earned += turn.upper_bonus
            after = ahead[opened & ~(1 << box), min(upper + more, turn.upper_at), bonus | earns]
            for c in range(len(points)):
                worth[e, c] = after[min(points[c] + earned, len(after) - 1)]
    return worth
