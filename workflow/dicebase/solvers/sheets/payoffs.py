"""Score sheets played for a payoff of the final score, such as P(score is enough) or P(win).

All scores that a card can have are solved side by side, as in values.py, with payoffs in place of points.
"""

import numpy as np

from dicebase.solvers.sheets.entries import entries_of, fits, fitting
from dicebase.solvers.sheets.plays import Strategy, play, turn
from dicebase.solvers.sheets.scores import Scores, ahead
from dicebase.solvers.sheets.values import to_the_start
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.arithmetic.simd import LANES, load, store, where
from dicebase.vocabulary.kernels import inner, kernel


def maximise(rules: Sheet, scores: Scores, payoff: np.ndarray) -> np.ndarray:
    """Return the maximal expected payoff, in the order of `scores`. payoff : by final score from 0 on; its first entry
    also stands for all scores below those of a card, its last entry for all above."""
    values = np.zeros(scores.size)
    _maximise(values, payoff, scores, entries_of(rules))
    return values


def earned_by(rules: Sheet, scores: Scores, payoff: np.ndarray, strategy: Strategy) -> np.ndarray:
    """Return the expected payoff of a strategy, in the order of `scores`."""
    values = np.zeros(scores.size)
    _earn(values, payoff, scores, entries_of(rules), strategy)
    return values


def scores_for(rules: Sheet, scores: Scores, values: np.ndarray) -> np.ndarray:
    """Return the probability of each final score if play maximises a payoff; `values` must come from `maximise`."""
    chances = scores.start(rules)
    _play_on(chances, values, scores, entries_of(rules))
    return scores.final(chances)


@inner(error_model="numpy")
def _edges(values, scores, card, bonus, upper, payoff):
    """Set the values of scores below and above the range of a card, and of all scores of a full card."""
    here, many = scores.first[card, bonus, upper], scores.many[card, bonus, upper]
    values[here - LANES : here] = payoff[0]
    values[here + many : here + many + LANES] = payoff[-1]
    for k in range(0 if card else many):
        values[here + k] = payoff[scores.low[card, bonus, upper] + k]


@kernel(_nrt=True, error_model="numpy")
def _maximise(values, payoff, scores, entries):
    """Fill in `values` by backward induction over cards, LANES scores of a card at a time."""
    size, more, changes = len(entries.chances), entries.more * LANES, entries.changes
    W, X = np.empty((size + len(more)) * LANES), np.empty(len(changes) * LANES)
    place, low, high = np.zeros((3, len(changes)), np.int64)
    first, found = np.empty(size + 1, np.int64), np.empty(len(entries.box), np.int64)
    before = 0
    for card, bonus, upper in scores.there:
        if card != before:
            fitting(card, entries, first, found)
            for k in range(first[size]):
                found[k] = entries.change[found[k]] * LANES
            before = card
        ahead(entries, scores, card, bonus, upper, place, low, high)
        here = scores.first[card, bonus, upper]
        for lane in range(0, scores.many[card, bonus, upper] if card else 0, LANES):
            for c in range(len(changes)):
                store(X, c * LANES, load(values, min(max(place[c] + lane, low[c]), high[c])))
            for roll in range(size):
                most = load(X, found[first[roll]])
                for k in range(first[roll] + 1, first[roll + 1]):
                    worth = load(X, found[k])
                    most = where(worth > most, worth, most)
                store(W, roll * LANES, most)
            to_the_start(W, more, entries.throws)
            store(values, here + lane, load(W, len(W) - LANES))
        _edges(values, scores, card, bonus, upper, payoff)


@kernel(_nrt=True, error_model="numpy")
def _earn(values, payoff, scores, entries, strategy):
    """Fill in `values` of a strategy, card by card, from full cards back."""
    place, low, high = np.zeros((3, len(entries.changes)), np.int64)
    for card, bonus, upper in scores.there:
        if card:
            made = turn(card, bonus, upper, entries, strategy)
            ahead(entries, scores, card, bonus, upper, place, low, high)
            here = scores.first[card, bonus, upper]
            for c in range(len(made)):
                if made[c]:
                    for k in range(scores.many[card, bonus, upper]):
                        values[here + k] += made[c] * values[min(max(place[c] + k, low[c]), high[c])]
        _edges(values, scores, card, bonus, upper, payoff)


@kernel(_nrt=True, error_model="numpy")
def _play_on(chances, values, scores, entries):
    """Add the probabilities `chances` of each card to those of the next cards under the policy that is greedy for
    `values`; both arrays are in the order of `scores`."""
    worth = np.empty(len(entries.box))
    place, low, high = np.zeros((3, len(entries.changes)), np.int64)
    for card, bonus, upper in scores.there[::-1]:
        if card == 0:
            continue
        ahead(entries, scores, card, bonus, upper, place, low, high)
        for k in range(scores.many[card, bonus, upper]):
            chance = chances[scores.first[card, bonus, upper] + k]
            if chance == 0:
                continue
            for e in range(len(worth)):
                worth[e] = values[place[entries.change[e]] + k] if fits(card, entries, e) else -np.inf
            made = play(worth, entries)
            for c in range(len(made)):
                if made[c]:
                    chances[place[c] + k] += chance * made[c]
