"""The scores to consider on each card of a sheet; arrays store only these. The American sheet has 536,320 cards with up
to 1,576 scores each; play reaches one in seven of these scores."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dicebase.solvers.sheets.entries import entries_of, fits
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.arithmetic.simd import LANES
from dicebase.vocabulary.kernels import inner, kernel


class Scores(NamedTuple):
    """The scores to consider; `low`, `many` and `first` have the shape (2**boxes, 2, upper totals)."""

    there: np.ndarray  # the cards that play reaches, (n, 3), in increasing order of (open boxes, bonus, upper total)
    low: np.ndarray  # the lowest score
    many: np.ndarray  # the number of consecutive scores
    first: np.ndarray  # the index of the lowest score in an array of all values
    size: int  # the size of an array of all values

    def rows(self, cards: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return (open boxes, upper total, bonus, points above the lowest, index) of all scores of cards, (n, 3)."""
        opened, upper, bonus = cards.T
        many, first = (array[opened, bonus, upper] for array in (self.many, self.first))
        above = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        return *(np.repeat(column, many) for column in (opened, upper, bonus)), above, np.repeat(first, many) + above


def scores_to_reach(rules: Sheet, reached: Sequence[Sequence[int]]) -> Scores:
    """Return the scores from which play can still either reach or miss the greatest final score.

    reached : as for `solve_sheet`."""
    there = where_play_comes(reached, rules.upper_at)
    most, _, _ = _spans(there.shape, np.argwhere(there), entries_of(rules))
    return _scores(there, most[rules.fresh.open, 0, 0] - most, most)


def scores_of_play(rules: Sheet, reached: Sequence[Sequence[int]]) -> Scores:
    """Return for each card all scores from the lowest to the highest that play can have there; `reached` as above."""
    there = where_play_comes(reached, rules.upper_at)
    _, low, high = _spans(there.shape, np.argwhere(there), entries_of(rules))
    return _scores(there, low, high + 1 - low)


def where_play_comes(reached: Sequence[Sequence[int]], at: int) -> np.ndarray:
    """Return which cards play reaches, by (open boxes, bonus, upper total)."""
    return np.array([[[totals >> total & 1 for total in range(at + 1)] for totals in of] for of in reached], bool)


def _scores(there: np.ndarray, low: np.ndarray, many: np.ndarray) -> Scores:
    """Lay out these scores: for each card whole vectors of lanes, and one more vector before and after them."""
    room = np.where(there, -(-many // LANES) * LANES + 2 * LANES, 0)
    first = (np.cumsum(room) - room.ravel()).reshape(room.shape) + LANES
    return Scores(np.argwhere(there), *(np.where(there, array, 0) for array in (low, many)), first, int(room.sum()))


@kernel(_nrt=True, error_model="numpy")
def _spans(shape, cards, entries):
    """Return for each card the most points still to score, the fewest points scored and the most points scored."""
    most, low, high = np.zeros(shape, np.int64), np.full(shape, 1 << 40), np.full(shape, -1)
    low[shape[0] - 1, 0, 0] = high[shape[0] - 1, 0, 0] = 0
    made = np.empty(len(entries.changes), np.bool_)
    for back in range(2):
        before = -1
        for i in range(len(cards)):
            card, bonus, upper = cards[len(cards) - 1 - i if back else i]
            if card != before:
                _makes(card, entries, made)
                before = card
            for c in range(len(made) if card else 0):
                if made[c]:
                    then, earned, total, scored = changed(entries, c, card, bonus, upper)
                    if back:
                        low[then, earned, total] = min(low[then, earned, total], low[card, bonus, upper] + scored)
                        high[then, earned, total] = max(high[then, earned, total], high[card, bonus, upper] + scored)
                    else:
                        most[card, bonus, upper] = max(most[card, bonus, upper], scored + most[then, earned, total])
    return most, low, high


@inner(_nrt=True, error_model="numpy")
def at_the_start(scores):
    """Return probabilities in the order of `scores`: 1 for a new card, otherwise 0."""
    chances = np.zeros(scores.size)
    chances[scores.first[len(scores.first) - 1, 0, 0]] = 1
    return chances


@inner(_nrt=True, error_model="numpy")
def at_the_end(chances, scores):
    """Return the probability of each final score from 0 on."""
    final = np.zeros((scores.low[0] + scores.many[0]).max())
    for _, bonus, upper in scores.there[scores.there[:, 0] == 0]:
        for k in range(scores.many[0, bonus, upper]):
            final[scores.low[0, bonus, upper] + k] += chances[scores.first[0, bonus, upper] + k]
    return final


@kernel(_nrt=True, error_model="numpy")
def scored(scores, entries):
    """Return which of the scores from `scores_of_play` play can reach, in their order."""
    found = at_the_start(scores) > 0
    place, low, high = np.zeros((3, len(entries.changes)), np.int64)
    made = np.empty(len(entries.changes), np.bool_)
    for card, bonus, upper in scores.there[::-1]:
        _makes(card, entries, made)
        ahead(entries, scores, card, bonus, upper, place, low, high)
        here, many = scores.first[card, bonus, upper], scores.many[card, bonus, upper]
        for c in range(len(made)):
            for s in range(many if made[c] else 0):
                found[place[c] + s] |= found[here + s]
    return found


@inner(error_model="numpy")
def _makes(card, entries, made):
    """Set `made`, (changes,), to whether each change is possible if the boxes in `card` are open."""
    made[:] = False
    for e in range(len(entries.box)):
        made[entries.change[e]] |= fits(card, entries, e)


@inner(error_model="numpy")
def changed(entries, c, card, bonus, upper):
    """Return the open boxes, bonus and upper total of the card after change c, and the points it scores."""
    box, points, more, further, earns = entries.changes[c]
    total = min(entries.upper_at, upper + more)
    crosses = upper < entries.upper_at == total
    return card ^ 1 << box, bonus | earns, total, points + bonus * further + entries.upper_bonus * crosses


@inner(error_model="numpy")
def ahead(entries, scores, card, bonus, upper, place, low, high):
    """Set `place`, (changes,), to the index of the next value after each change from a card's lowest score. The indices
    for higher scores follow it, and must be clipped to `low` and `high`."""
    for c in range(len(entries.changes)):
        if card >> entries.changes[c, 0] & 1:
            then, earned, total, scored = changed(entries, c, card, bonus, upper)
            here = scores.first[then, earned, total]
            place[c] = here + scores.low[card, bonus, upper] + scored - scores.low[then, earned, total]
            low[c], high[c] = here - LANES, here + scores.many[then, earned, total]
