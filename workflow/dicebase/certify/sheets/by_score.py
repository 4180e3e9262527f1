"""Turns of score sheets by the score of a card, for a payoff of the final score: evaluated as turn.py has it, 32 scores
of a card side by side, four times eight, so that no sum waits for the one before. Nothing is worth less than nothing:
all that is rounded is a part of itself.
"""

from typing import NamedTuple

import numpy as np

from dicebase.certify.sheets.turn import BLOCK, Turn, fits, used
from dicebase.vocabulary.eights import LANES, load, splat, store, where
from dicebase.vocabulary.kernels import inner, kernel

WIDE = 4 * LANES


class Scores(NamedTuple):
    """The scores of cards that are looked at, each by (open boxes, upper total, bonus)."""

    low: np.ndarray  # the lowest
    many: np.ndarray  # how many from there on
    first: np.ndarray  # where the lowest has its place in an array of all of them

    def values(self, there: np.ndarray) -> np.ndarray:
        """A place for the value of each."""
        last = self.first[there].argmax()
        return np.zeros(int(self.first[there][last] + self.many[there][last]) + 2 * LANES)


def to_reach(turn: Turn, there: np.ndarray) -> Scores:
    """Scores with which the greatest can be missed and reached."""
    most, _, _ = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, most[-1, 0, 0] - most, most)


def of_play(turn: Turn, there: np.ndarray) -> Scores:
    """Scores with which play comes to a card, from the lowest to the highest."""
    _, low, high = _spans(turn, there.shape, np.argwhere(there))
    return _scores(there, low, high + 1 - low)


def _scores(there: np.ndarray, low: np.ndarray, many: np.ndarray) -> Scores:
    # Before and after those of a card there is room for eight that are worth the same.
    room = np.where(there, many + 3 * LANES, 0)
    return Scores(low, many, (np.cumsum(room) - room.ravel()).reshape(room.shape) + LANES)


def greatest(turn: Turn, there: np.ndarray, scores: Scores, payoff: np.ndarray) -> np.ndarray:
    """The greatest mean payoff, by place.

    payoff : by final score; below the scores of a card it is that of the first, above that of the last.
    """
    values = scores.values(there)
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
    """What is known without a turn: scores beyond those of a card, and full cards."""
    card = (opened, upper, bonus)
    first, many, low = scores.first[card], scores.many[card], scores.low[card]
    values[first - LANES : first], values[first + many : first + many + LANES] = payoff[0], payoff[-1]
    for s in range(0 if opened else many):
        values[first + s] = payoff[low + s]


@inner
def _place(turn, e, opened, upper, bonus, scores, score):
    """Where the value after an entry is found, for a score before it."""
    points, then = used(turn, e, opened, upper, bonus)
    return scores.first[then] + min(max(score + points - scores.low[then], -LANES), scores.many[then])


@kernel(_nrt=True)
def entry_payoffs(turn, opened, upper, bonus, points, scores, values):
    """What each entry is worth with these points, (entries, points); less than all where it is not allowed."""
    worth = np.full((len(turn.entries), len(points)), -np.inf)
    for e in range(len(turn.entries)):
        if fits(turn, e, opened):
            for c in range(len(points)):
                worth[e, c] = values[_place(turn, e, opened, upper, bonus, scores, points[c])]
    return worth


@kernel(_nrt=True)
def _greatest(turn, cards, scores, payoff, values):
    throws, keeps = len(turn.of) - 1, len(turn.begin) - 1
    E, W, M = np.empty(len(turn.entries) * WIDE), np.empty(throws * WIDE), np.empty(keeps * WIDE)
    to, kept, ways = turn.to * WIDE, turn.kept * WIDE, turn.ways * WIDE
    for opened, upper, bonus in cards:
        card = (opened, upper, bonus)
        for score in range(0, scores.many[card] if opened else 0, WIDE):
            for e in range(len(turn.entries)):
                for lane in range(0, WIDE, LANES):
                    worth, points = splat(-1.0), scores.low[card] + score + lane
                    if fits(turn, e, opened):
                        worth = load(values, _place(turn, e, opened, upper, bonus, scores, points))
                    store(E, e * WIDE + lane, worth)
            _best(E, ways, turn.of, W)
            for _ in range(turn.rolls - 1):
                _means(W, turn, to, keeps, M)
                _best(M, kept, turn.under, W)
            _means(W, turn, to, 1, M)
            for lane in range(0, min(WIDE, scores.many[card] - score), LANES):
                store(values, scores.first[card] + score + lane, load(M, lane))
        edges(values, scores, opened, upper, bonus, payoff)


@inner
def _best(worth, actions, begins, best):
    """Into `best` the most that the actions of each throw are worth."""
    for throw in range(len(begins) - 1):
        a, b, c, d = _four(worth, actions[begins[throw]])
        for k in range(begins[throw] + 1, begins[throw + 1]):
            e, f, g, h = _four(worth, actions[k])
            a, b, c, d = where(e > a, e, a), where(f > b, f, b), where(g > c, g, c), where(h > d, h, d)
        _write(best, throw * WIDE, a, b, c, d)


@inner
def _means(worth, turn, to, keeps, means):
    """Into `means` what the first keeps are worth in the mean of their throws."""
    zero, total = splat(0.0), float(turn.total)
    for k in range(keeps):
        a, b, c, d = zero, zero, zero, zero
        for block in range(turn.begin[k], turn.begin[k + 1], BLOCK):
            e, f, g, h = zero, zero, zero, zero
            for p in range(block, min(block + BLOCK, turn.begin[k + 1])):
                w, x, y, z = _four(worth, to[p])
                weight = turn.weight[p]
                e, f, g, h = e + w * weight, f + x * weight, g + y * weight, h + z * weight
            a, b, c, d = a + e, b + f, c + g, d + h
        _write(means, k * WIDE, a / total, b / total, c / total, d / total)


@inner(inline="always")
def _four(array, place):
    return (
        load(array, place),
        load(array, place + LANES),
        load(array, place + 2 * LANES),
        load(array, place + 3 * LANES),
    )


@inner(inline="always")
def _write(array, place, a, b, c, d):
    store(array, place, a)
    store(array, place + LANES, b)
    store(array, place + 2 * LANES, c)
    store(array, place + 3 * LANES, d)
