"""Score sheets played for a payoff of the final score, such as the chance that it is enough, or that it wins.

The value of a card is one of the points that its filled boxes have scored, which go side by side; in the rest it is
solved as for the most points (values.py), the payoff in the place of points.
"""

from collections.abc import Sequence

import numpy as np
from numba import njit

from dicebase.solve.sheets.entries import entries_of
from dicebase.solve.sheets.plays import Strategy, play, turn
from dicebase.solve.sheets.values import to_the_start
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.eights import LANES, load, store, where


def maximise(
    rules: Sheet, reached: Sequence[Sequence[int]], payoff: np.ndarray, strategy: Strategy
) -> tuple[np.ndarray, np.ndarray]:
    """(the greatest mean payoff, that of a strategy), of shape (2**boxes, 2, upper totals, scores): by open boxes,
    bonus, upper total and points scored; of cards that play does not reach they say nothing.

    reached : as for solve_sheet. payoff : by final score from 0 on; of higher ones it is that of the last.
    """
    entries, at = entries_of(rules), rules.upper_at
    furthest = int((entries.points + entries.further).max()) + rules.upper_bonus
    width = -(-len(payoff) // LANES) * LANES + furthest
    payoff = np.asarray(payoff, float)
    best, own = (np.full((len(reached), 2, at + 1, width), payoff[-1]) for _ in range(2))
    best[0, ..., : len(payoff)] = own[0, ..., : len(payoff)] = payoff
    there = _bits(reached, at)
    _maximise(best, own, len(payoff), there, at, rules.upper_bonus, rules.rolls, entries, *strategy)
    return best[..., : len(payoff)], own[..., : len(payoff)]


def scores_for(rules: Sheet, reached: Sequence[Sequence[int]], best: np.ndarray) -> np.ndarray:
    """The probability of each final score of who maximises a payoff; `best` as `maximise` says."""
    chances = np.zeros(best.shape)
    chances[rules.fresh.open, 0, 0, 0] = 1
    there = _bits(reached, rules.upper_at)
    _play_on(chances, best, there, rules.upper_at, rules.upper_bonus, rules.rolls, entries_of(rules))
    return chances[0].sum(axis=(0, 1))


def _bits(reached: Sequence[Sequence[int]], at: int) -> np.ndarray:
    """Whether play comes to (open boxes, bonus, upper total)."""
    return np.array([[[totals >> total & 1 for total in range(at + 1)] for totals in of] for of in reached], bool)


@njit(cache=True, nogil=True, error_model="numpy")
def _maximise(best, own, scores, there, at, upper_bonus, rolls, entries, base, bonuses, values):
    starts, box, points, more_upper, further, earns, among, opened = entries[:8]
    size, more, width = len(starts) - 1, entries.more * LANES, best.shape[3]
    flat = best.reshape(-1)
    W = np.empty((size + len(more)) * LANES)
    first, after = np.empty(size + 1, np.int64), np.empty(len(box), np.int64)
    for card, bonus, upper in np.argwhere(there):
        if card == 0:
            continue
        many = 0
        for roll in range(size):
            first[roll] = many
            for e in range(starts[roll], starts[roll + 1]):
                if card >> box[e] & 1 and card & among[e] == opened[e]:
                    total = min(at, upper + more_upper[e])
                    scored = points[e] + bonus * further[e] + upper_bonus * (upper < at and total == at)
                    row = ((card ^ 1 << box[e]) * 2 + (bonus | earns[e])) * (at + 1) + total
                    after[many] = row * width + scored
                    many += 1
        first[size] = many
        here = ((card * 2 + bonus) * (at + 1) + upper) * width
        for lane in range(0, scores, LANES):
            for roll in range(size):
                most = load(flat, after[first[roll]] + lane)
                for k in range(first[roll] + 1, first[roll + 1]):
                    worth = load(flat, after[k] + lane)
                    most = where(worth > most, worth, most)
                store(W, roll * LANES, most)
            to_the_start(W, more, rolls)
            store(flat, here + lane, load(W, len(W) - LANES))
        flat[here + scores : here + width] = flat[width - 1]
        made = turn(card, bonus, upper, at, upper_bonus, rolls, entries, base, bonuses, values)
        own[card, bonus, upper, :scores] = 0.0
        for c in range(len(made)):
            if made[c]:
                then, earned, total, scored = _changed(entries.changes[c], card, bonus, upper, at, upper_bonus)
                for k in range(scores):
                    own[card, bonus, upper, k] += made[c] * own[then, earned, total, k + scored]


@njit(cache=True, nogil=True, error_model="numpy")
def _changed(change, card, bonus, upper, at, upper_bonus):
    """(open boxes, bonus, upper total of the card after a change, the points scored)."""
    box, points, more, further, earns = change
    total = min(at, upper + more)
    return card ^ 1 << box, bonus | earns, total, points + bonus * further + upper_bonus * (upper < at and total == at)


@njit(cache=True, nogil=True, error_model="numpy")
def _play_on(chances, best, there, at, upper_bonus, rolls, entries):
    worth, scores = np.empty(len(entries.box)), best.shape[3]
    for card, bonus, upper in np.argwhere(there)[::-1]:
        if card == 0:
            continue
        for score in range(scores):
            chance = chances[card, bonus, upper, score]
            if chance == 0:
                continue
            for e in range(len(worth)):
                worth[e] = -np.inf
                if card >> entries.box[e] & 1 and card & entries.among[e] == entries.opened[e]:
                    change = entries.changes[entries.change[e]]
                    then, earned, total, scored = _changed(change, card, bonus, upper, at, upper_bonus)
                    worth[e] = best[then, earned, total, min(scores - 1, score + scored)]
            made = play(worth, rolls, entries)
            for c in range(len(made)):
                if made[c]:
                    then, earned, total, scored = _changed(entries.changes[c], card, bonus, upper, at, upper_bonus)
                    chances[then, earned, total, min(scores - 1, score + scored)] += chance * made[c]
