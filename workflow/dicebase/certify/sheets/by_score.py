"""Turns of score sheets by the score of a card, for a payoff of the final score: evaluated as turn.py does, with one
column for each score. No value is below 0, so each rounding is a relative one.
"""

from typing import NamedTuple

import numpy as np

from dicebase.certify.sheets.turn import Cards, Turn, before_the_throw, fits, used
from dicebase.vocabulary.kernels import kernel

COLUMNS = 64
"""Scores of a card that are evaluated together: their arrays fit into the cache."""


class Scores(NamedTuple):
    """The scores of cards that are looked at, each by (open boxes, upper total, bonus)."""

    low: np.ndarray  # the lowest
    many: np.ndarray  # how many from there on
    first: np.ndarray  # where the lowest has its place in an array of all of them
    size: int  # of such an array

    def start(self, cards: Cards) -> np.ndarray:
        """A place for the probability of each; that of a new game is 1."""
        chances = np.zeros(self.size)
        chances[self.first[cards.fresh]] = 1.0
        return chances

    def final(self, chances: np.ndarray) -> np.ndarray:
        """The probability of each final score, from 0 on."""
        low, many, first = (array[0].ravel() for array in self[:3])
        many = np.maximum(many, 0)  # those of cards that play does not reach are negative
        places = np.concatenate([*map(np.arange, many)])
        return np.bincount(np.repeat(low, many) + places, chances[np.repeat(first, many) + places])


def to_reach(turn: Turn, there: np.ndarray) -> Scores:
    """Scores with which the greatest can be missed and reached."""
    most, _, _ = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, most[-1, 0, 0] - most, most)


def of_play(turn: Turn, there: np.ndarray) -> Scores:
    """Scores with which play comes to a card, from the lowest to the highest."""
    _, low, high = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, low, high + 1 - low)


def _scores(there: np.ndarray, low: np.ndarray, many: np.ndarray) -> Scores:
    # The value of all lower scores stands before those of a card, that of all higher ones behind.
    room = np.where(there, many + 2, 0)
    return Scores(low, many, (np.cumsum(room) - room.ravel()).reshape(room.shape) + 1, int(room.sum()))


def greatest(turn: Turn, there: np.ndarray, scores: Scores, payoff: np.ndarray) -> np.ndarray:
    """The greatest mean payoff, by place.

    payoff : by final score; below the scores of a card it is that of the first, above that of the last.
    """
    values = np.zeros(scores.size)
    _greatest(turn, np.argwhere(there), scores, payoff, values)
    return values


@kernel(_nrt=True)
def _spans(turn, shape, cards):
    """Of each card the most points to come, and the fewest and the most that are scored."""
    most, low, high = np.zeros(shape, np.int64), np.full(shape, 1 << 40), np.full(shape, -1)
    low[-1, 0, 0] = high[-1, 0, 0] = 0
    for opened, upper, bonus in cards:
        for e in range(len(turn.entries)):
            if fits(turn, e, opened):
                points, then = used(turn, e, opened, upper, bonus)
                most[opened, upper, bonus] = max(most[opened, upper, bonus], points + most[then])
    for opened, upper, bonus in cards[::-1]:
        for e in range(len(turn.entries)):
            if fits(turn, e, opened):
                points, then = used(turn, e, opened, upper, bonus)
                low[then] = min(low[then], low[opened, upper, bonus] + points)
                high[then] = max(high[then], high[opened, upper, bonus] + points)
    return most, low, high


@kernel
def edges(values, scores, opened, upper, bonus, payoff):
    """Set the values that no turn leads to: of scores beyond those of a card, and of full cards."""
    card = (opened, upper, bonus)
    first, many, low = scores.first[card], scores.many[card], scores.low[card]
    values[first - 1], values[first + many] = payoff[0], payoff[-1]
    for s in range(0 if opened else many):
        values[first + s] = payoff[low + s]


@kernel(_nrt=True)
def entry_payoffs(turn, opened, upper, bonus, points, scores, values):
    """The value of each entry at these scores of a card, (entries, points); minus infinity if it is not allowed."""
    worth = np.full((len(turn.entries), len(points)), -np.inf)
    for e in range(len(turn.entries)):
        if fits(turn, e, opened):
            earned, then = used(turn, e, opened, upper, bonus)
            first, many, above = scores.first[then], scores.many[then], earned - scores.low[then]
            for c in range(len(points)):
                worth[e, c] = values[first + min(max(points[c] + above, -1), many)]
    return worth


@kernel(_nrt=True)
def _greatest(turn, cards, scores, payoff, values):
    worth, means = np.empty((len(turn.of) - 1, COLUMNS)), np.empty((len(turn.begin) - 1, COLUMNS))
    for opened, upper, bonus in cards:
        card = (opened, upper, bonus)
        for s in range(0, scores.many[card] if opened else 0, COLUMNS):
            points = scores.low[card] + s + np.arange(COLUMNS)
            of_entries = entry_payoffs(turn, opened, upper, bonus, points, scores, values)
            first, size = scores.first[card] + s, min(COLUMNS, scores.many[card] - s)
            values[first : first + size] = before_the_throw(turn, of_entries, worth, means)[:size]
        edges(values, scores, opened, upper, bonus, payoff)
