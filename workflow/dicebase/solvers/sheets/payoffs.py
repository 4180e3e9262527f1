"""Score sheets played for a payoff of the final score, such as P(score is enough) or P(win).

All scores that a card can have are solved side by side, as in values.py, with payoffs in place of points.
"""

import numpy as np

from dicebase.solvers.sheets.entries import fits, fitting
from dicebase.solvers.sheets.plays import play, turn
from dicebase.solvers.sheets.scores import ahead, at_the_end, at_the_start
from dicebase.solvers.sheets.values import to_the_start
from dicebase.vocabulary.arithmetic.simd import LANES, load, store, where
from dicebase.vocabulary.kernels import inner, kernel


@inner(error_model="numpy")
def _edges(values, scores, card, bonus, upper, payoff):
    """Set the values of scores below and above the range of a card, and of all scores of a full card."""
    here, many = scores.first[card, bonus, upper], scores.many[card, bonus, upper]
    values[here - LANES : here] = payoff[0]
    values[here + many : here + many + LANES] = payoff[-1]
    for k in range(0 if card else many):
        values[here + k] = payoff[scores.low[card, bonus, upper] + k]


@kernel(_nrt=True, error_model="numpy")
def maximise(payoff, scores, entries):
    """Return the maximal expected payoff, in the order of `scores`, by backward induction over cards, LANES scores of a
    card at a time. payoff : by final score from 0 on; its first entry also stands for all scores below those of a card,
    its last entry for all above."""
    values = np.zeros(scores.size)
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
    return values


@kernel(_nrt=True, error_model="numpy")
def earned_by(strategy, payoff, scores, entries):
    """Return the expected payoff of a strategy, in the order of `scores`, card by card, from full cards back."""
    values = np.zeros(scores.size)
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
    return values


@kernel(_nrt=True, error_model="numpy")
def scores_for(values, scores, entries):
    """Return the probability of each final score under the policy that is greedy for `values`, from `maximise`."""
    chances, worth = at_the_start(scores), np.empty(len(entries.box))
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
    return at_the_end(chances, scores)
