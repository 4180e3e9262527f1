"""Evaluate turns of score sheets for a payoff of the final score, as in turn.py but with one column per score of a
card. No value is negative, so rounding errors are relative."""

from typing import NamedTuple

import numpy as np

from dicebase.certify.sheets.turn import Cards, Turn, before_the_throw, fits, used
from dicebase.vocabulary.kernels import kernel

COLUMNS = 64
"""Number of scores of a card that are evaluated together, small enough for the cache."""


class Scores(NamedTuple):
    """The scores to consider on each card; arrays by (open boxes, upper total, bonus)."""

    low: np.ndarray  # the lowest score
    many: np.ndarray  # the number of consecutive scores; negative if play does not reach the card
    first: np.ndarray  # the index of the lowest score in an array of all scores
    size: int  # the length of an array of all scores
    least: int  # the final score with index 0 in a payoff

    def rows(self, cards: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return (open boxes, upper total, bonus, points above the lowest, index) of all scores of cards, (n, 3)."""
        many, first = (array[tuple(cards.T)] for array in (self.many, self.first))
        above = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        return *np.repeat(cards.T, many, axis=1), above, np.repeat(first, many) + above

    def start(self, cards: Cards) -> np.ndarray:
        """Return an array of probabilities that is 1 at the start of a new game and 0 elsewhere."""
        chances = np.zeros(self.size)
        chances[self.first[cards.fresh]] = 1.0
        return chances

    def final(self, chances: np.ndarray) -> np.ndarray:
        """Return the probability of each final score, from `least` on."""
        low, many, first = (array[0].ravel() for array in self[:3])
        many = np.maximum(many, 0)  # negative for cards that play does not reach
        places = np.concatenate([*map(np.arange, many)])
        return np.bincount(np.repeat(low - self.least, many) + places, chances[np.repeat(first, many) + places])


def to_reach(turn: Turn, there: np.ndarray) -> Scores:
    """Return the scores from which the greatest final score can still be reached, but has not been yet."""
    most, _, _ = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, most[-1, 0, 0] - most, most, 0)


def of_play(turn: Turn, there: np.ndarray) -> Scores:
    """Return, for each card, all scores between the lowest and the highest that play can reach there."""
    _, low, high = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, low, high + 1 - low, min(0, int(low[0].min())))


def _scores(there: np.ndarray, low: np.ndarray, many: np.ndarray, least: int) -> Scores:
    # Each card has an extra entry before its scores, for all lower ones, and one behind them, for all higher ones.
    room = np.where(there, many + 2, 0)
    return Scores(low, many, (np.cumsum(room) - room.ravel()).reshape(room.shape) + 1, int(room.sum()), least)


def greatest(turn: Turn, there: np.ndarray, scores: Scores, payoff: np.ndarray) -> np.ndarray:
    """Return the greatest expected payoff of every card and score, in the order of `scores`.

    payoff : by final score, from `least` on; scores below those considered get its first entry, scores above its last.
    """
    values = np.zeros(scores.size)
    _greatest(turn, np.argwhere(there), scores, payoff, values)
    return values


@kernel(_nrt=True)
def _spans(turn, shape, cards):
    """Return, for each card, the most points still to score, and the fewest and the most points scored so far."""
    most, low, high = np.zeros(shape, np.int64), np.full(shape, 1 << 40), np.full(shape, -1 << 40)
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
    """Set the values that need no turn: those of scores outside the range considered, and of full cards."""
    card = (opened, upper, bonus)
    first, many, low = scores.first[card], scores.many[card], scores.low[card]
    values[first - 1], values[first + many] = payoff[0], payoff[-1]
    for s in range(0 if opened else many):
        values[first + s] = payoff[low + s - scores.least]


@kernel(_nrt=True)
def entry_payoffs(turn, opened, upper, bonus, points, scores, values):
    """Return the value of each entry at these points on a card, (entries, points); -inf if it does not fit."""
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
    """Fill in `values` by backward induction over cards (n, 3), (open boxes, upper total, bonus) in rising order."""
    worth, means = np.empty((len(turn.of) - 1, COLUMNS)), np.empty((len(turn.begin) - 1, COLUMNS))
    for opened, upper, bonus in cards:
        card = (opened, upper, bonus)
        for s in range(0, scores.many[card] if opened else 0, COLUMNS):
            points = scores.low[card] + s + np.arange(COLUMNS)
            of_entries = entry_payoffs(turn, opened, upper, bonus, points, scores, values)
            first, size = scores.first[card] + s, min(COLUMNS, scores.many[card] - s)
            values[first : first + size] = before_the_throw(turn, of_entries, worth, means)[:size]
        edges(values, scores, opened, upper, bonus, payoff)
