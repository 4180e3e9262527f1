"""Play strategies of a score sheet forward: the probability of each change of a card in a turn, and of final scores.

A strategy rates entries. In a turn it maximises the expected rating over the lattice of values.py; ties go to the first
action. A forward pass over the lattice gives the probabilities of changes. Cards are played from the fresh card on.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dicebase.solvers.sheets.entries import entries_of, fits
from dicebase.solvers.sheets.scores import ahead, at_the_end, at_the_start
from dicebase.solvers.sheets.values import solve_sheet
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.kernels import inner, kernel

ALIKE = 1e-9
"""Actions whose ratings by a strategy differ by at most this are equally good."""


class Strategy(NamedTuple):
    """How a strategy rates entries: by the sum of `base`, (entries,), of `further` points if this is set, of
    `upper_bonus` if the entry reaches its total, and of the `values`, (2**boxes, 2, upper totals), of the next card."""

    base: np.ndarray
    further: bool
    upper_bonus: int
    values: np.ndarray


def strategies(rules: Sheet, reached: Sequence[Sequence[int]]) -> dict[str, Strategy]:
    """Return the strategies of a sheet by name: `optimal` maximises the final score, `greedy` the points of this turn;
    `upper_first` fills upper boxes first, by points above their share of the bonus total. For `reached` see
    `solve_sheet`."""
    entries, values = entries_of(rules), solve_sheet(rules, reached)
    nothing = np.zeros_like(values)
    shares = np.array(rules.shares)
    above = np.where(shares > 0, 10_000 - shares, 0)[entries.box] + entries.points
    points = entries.points.astype(float)
    return {
        "optimal": Strategy(points, True, rules.upper_bonus, values),
        "greedy": Strategy(points, True, rules.upper_bonus, nothing),
        "upper_first": Strategy(above, False, 0, nothing),
    }


@kernel(_nrt=True, error_model="numpy")
def final_scores(strategy, scores, entries):
    """Return the probability of each final score of a strategy from 0 on; `scores` must come from `scores_of_play`."""
    chances = at_the_start(scores)
    place, low, high = np.zeros((3, len(entries.changes)), np.int64)
    for card, bonus, upper in scores.there[::-1]:
        here = scores.first[card, bonus, upper]
        begin, end = here, here + scores.many[card, bonus, upper]
        while begin < end and not chances[begin]:
            begin += 1
        while begin < end and not chances[end - 1]:
            end -= 1
        if card and begin < end:
            made = turn(card, bonus, upper, entries, strategy)
            ahead(entries, scores, card, bonus, upper, place, low, high)
            for c in range(len(made)):
                if made[c]:
                    for k in range(begin, end):
                        chances[place[c] - here + k] += made[c] * chances[k]
    return at_the_end(chances, scores)


@inner(_nrt=True, error_model="numpy")
def turn(card, bonus, upper, entries, strategy):
    """Return the probability of each change of a card, (changes,), in a turn played by a strategy."""
    return play(worths(card, bonus, upper, entries, strategy), entries)


@inner(_nrt=True, error_model="numpy")
def worths(card, bonus, upper, entries, strategy):
    """Return the rating of each entry by a strategy, (entries,); -inf if it does not fit."""
    worth, at = np.empty(len(entries.box)), entries.upper_at
    for e in range(len(worth)):
        box = entries.box[e]
        if not fits(card, entries, e):
            worth[e] = -np.inf
            continue
        total = min(at, upper + entries.upper[e])
        worth[e] = strategy.base[e] + strategy.values[card ^ 1 << box, bonus | entries.earns[e], total]
        worth[e] += strategy.further * bonus * entries.further[e] + strategy.upper_bonus * (upper < at and total == at)
    return worth


@inner(_nrt=True, error_model="numpy")
def play(worth, entries):
    """Return the probability of each change of a card, (changes,), from the ratings of entries, (entries,)."""
    chosen, kept, _ = decide(worth, entries)
    made, chances = np.zeros(len(entries.changes)), entries.chances
    for again in range(entries.throws - 1, 0, -1):
        chances = thrown(chances, kept[again], entries)
    for roll in range(len(chosen)):
        made[entries.change[chosen[roll]]] += chances[roll]
    return made


@inner(_nrt=True, error_model="numpy")
def thrown(chances, kept, entries):
    """Return the probabilities of rolls, (rolls,), after a reroll; kept : (rolls,), the set kept from each roll."""
    size, more = len(chances), entries.more
    W = np.zeros(size + len(more))
    for roll in range(size):
        W[kept[roll]] += chances[roll]
    for place in range(len(W) - 1, size - 1, -1):
        if W[place]:
            for face in range(more.shape[1]):
                W[more[place - size, face]] += W[place] * (1.0 / more.shape[1])
    return W[:size]


@inner(_nrt=True, error_model="numpy")
def decide(worth, entries):
    """Return the decisions that maximise the expected rating: the entry chosen for each roll, (rolls,); the set kept,
    by rerolls left and roll; and the value of each set of dice, by rerolls left. worth : (entries,), the ratings."""
    size, more, sides, rolls = len(entries.chances), entries.more, entries.more.shape[1], entries.throws
    sets, part = size + len(more), 1.0 / sides
    K, best = np.empty((rolls, sets)), np.empty(size)
    chosen, kept = np.empty(size, np.int64), np.empty((rolls, size), np.int64)
    for roll in range(size):
        e = entries.starts[roll]
        best[roll] = worth[e]
        for other in range(e + 1, entries.starts[roll + 1]):
            best[roll] = max(best[roll], worth[other])
        while worth[e] < best[roll] - ALIKE:
            e += 1
        chosen[roll] = e
    for again in range(1, rolls):
        W = K[again]
        for roll in range(size):
            W[roll] = best[roll]
        for place in range(size, sets):
            mean = W[more[place - size, 0]]
            for face in range(1, sides):
                mean += W[more[place - size, face]]
            W[place] = mean * part
        best = W.copy()
        for place in range(sets - 1, size - 1, -1):
            for larger in more[place - size]:
                best[larger] = max(best[larger], best[place])
        for roll in range(size):
            k = entries.keep_starts[roll]
            while W[entries.keeps[k]] < best[roll] - ALIKE:
                k += 1
            kept[again, roll] = entries.keeps[k]
    return chosen, kept, K
