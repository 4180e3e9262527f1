"""Turns of score sheets by the score of a card, for a payoff of the final score: evaluated as turn.py has it, eight
scores of a card side by side. Nothing is worth less than nothing, so that every number is rounded by a part of itself.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from dicebase.certify.sheets.turn import BLOCK, Turn
from dicebase.vocabulary.eights import LANES, load, splat, store, where


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
    most, _, _ = _spans(turn, there)
    return _scores(there, most[-1, 0, 0] - most, most)


def of_play(turn: Turn, there: np.ndarray) -> Scores:
    """Scores with which play comes to a card, from the lowest to the highest."""
    _, low, high = _spans(turn, there)
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
    _greatest(turn, there, scores, payoff, values)
    return values


@njit(cache=True, nogil=True)
def _then(turn, e, upper, bonus):
    """(points, upper total, bonus of the card then) of an entry."""
    _, points, more, further, earns, _, _ = turn.entries[e]
    crosses = upper < turn.upper_at <= upper + more
    return points + further * bonus + turn.upper_bonus * crosses, min(turn.upper_at, upper + more), bonus | earns


@njit(cache=True, nogil=True)
def _fits(turn, e, opened):
    box, _, _, _, _, among, needed = turn.entries[e]
    return opened >> box & 1 and opened & among == needed


@njit(cache=True, nogil=True)
def _spans(turn, there):
    """Of each card the most points to come, and the fewest and the most that are scored."""
    most, low, high = np.zeros(there.shape, np.int64), np.full(there.shape, 1 << 40), np.full(there.shape, -1)
    low[-1, 0, 0] = high[-1, 0, 0] = 0
    cards = np.argwhere(there)
    for opened, upper, bonus in cards:
        for e in range(len(turn.entries)):
            if _fits(turn, e, opened):
                points, total, earned = _then(turn, e, upper, bonus)
                then = (opened & ~(1 << turn.entries[e, 0]), total, earned)
                most[opened, upper, bonus] = max(most[opened, upper, bonus], points + most[then])
    for opened, upper, bonus in cards[::-1]:
        for e in range(len(turn.entries)):
            if _fits(turn, e, opened):
                points, total, earned = _then(turn, e, upper, bonus)
                then = (opened & ~(1 << turn.entries[e, 0]), total, earned)
                low[then] = min(low[then], low[opened, upper, bonus] + points)
                high[then] = max(high[then], high[opened, upper, bonus] + points)
    return most, low, high


@njit(cache=True, nogil=True)
def edges(values, scores, opened, upper, bonus, payoff):
    """What is known without a turn: scores beyond those of a card, and full cards."""
    card = (opened, upper, bonus)
    first, many, low = scores.first[card], scores.many[card], scores.low[card]
    values[first - LANES : first], values[first + many : first + many + LANES] = payoff[0], payoff[-1]
    if opened == 0:
        values[first : first + many] = payoff[low : low + many]


@njit(cache=True, nogil=True)
def _place(turn, e, opened, upper, bonus, scores, score):
    """Where the value after an entry is found, for a score before it."""
    points, total, earned = _then(turn, e, upper, bonus)
    then = (opened & ~(1 << turn.entries[e, 0]), total, earned)
    return scores.first[then] + min(max(score + points - scores.low[then], -LANES), scores.many[then])


@njit(cache=True, nogil=True)
def entry_payoffs(turn, opened, upper, bonus, points, scores, values):
    """What each entry is worth with these points, (entries, points); less than all where it is not allowed."""
    worth = np.full((len(turn.entries), len(points)), -np.inf)
    for e in range(len(turn.entries)):
        if _fits(turn, e, opened):
            for c in range(len(points)):
                worth[e, c] = values[_place(turn, e, opened, upper, bonus, scores, points[c])]
    return worth


@njit(cache=True, nogil=True)
def _greatest(turn, there, scores, payoff, values):
    throws, keeps = len(turn.of) - 1, len(turn.begin) - 1
    E, W, M = np.empty(len(turn.entries) * LANES), np.empty(throws * LANES), np.empty(keeps * LANES)
    for opened, upper, bonus in np.argwhere(there):
        card = (opened, upper, bonus)
        for score in range(0, scores.many[card] if opened else 0, LANES):
            for e in range(len(turn.entries)):
                worth = splat(-1.0)
                if _fits(turn, e, opened):
                    worth = load(values, _place(turn, e, opened, upper, bonus, scores, scores.low[card] + score))
                store(E, e * LANES, worth)
            _best(E, turn.ways, turn.of, W)
            for _ in range(turn.rolls - 1):
                _means(W, turn, keeps, M)
                _best(M, turn.kept, turn.under, W)
            _means(W, turn, 1, M)
            store(values, scores.first[card] + score, load(M, 0))
        edges(values, scores, opened, upper, bonus, payoff)


@njit(cache=True, nogil=True)
def _best(worth, actions, begins, best):
    """Into `best` the most that the actions of each throw are worth, eight side by side."""
    for throw in range(len(begins) - 1):
        most = load(worth, actions[begins[throw]] * LANES)
        for k in range(begins[throw] + 1, begins[throw + 1]):
            other = load(worth, actions[k] * LANES)
            most = where(other > most, other, most)
        store(best, throw * LANES, most)


@njit(cache=True, nogil=True)
def _means(worth, turn, keeps, means):
    """Into `means` what the first keeps are worth in the mean of their throws, eight side by side."""
    for k in range(keeps):
        mean, end = splat(0.0), turn.begin[k + 1]
        for block in range(turn.begin[k], end, BLOCK):
            part = splat(0.0)
            for p in range(block, min(block + BLOCK, end)):
                part = part + load(worth, turn.to[p] * LANES) * turn.weight[p]
            mean = mean + part
        store(means, k * LANES, mean / float(turn.total))
