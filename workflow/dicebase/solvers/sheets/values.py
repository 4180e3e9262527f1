"""The value of every card of a score sheet at the start of a turn, in doubles, by backward induction
(docs/why/solvers.md, Score sheets). Cards are solved in increasing order of open boxes, with one upper total per lane.
"""

from collections.abc import Sequence

import numpy as np

from dicebase.solvers.sheets.entries import entries_of, fitting
from dicebase.vocabulary import Sheet
from dicebase.vocabulary.arithmetic.simd import LANES, load, store, where
from dicebase.vocabulary.kernels import inner, kernel


def solve_sheet(rules: Sheet, reached: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the maximal expected points still to come, (2**boxes, 2, upper totals), by open boxes, bonus and upper
    total; the values of unreachable cards are undefined.

    reached : the upper totals that play reaches, as a bit mask, by open boxes and bonus.
    """
    at, entries = rules.upper_at, entries_of(rules)
    tops = np.array([[totals.bit_length() - 1 for totals in of] for of in reached])
    # Values are repeated beyond the upper total that earns the bonus, so that lanes need no cap. The bonus is added at
    # the end of the game, and subtracted again for the total at which it has already been scored.
    width = -(-(at + 1) // LANES) * LANES + int(entries.upper.max())
    values = np.zeros((len(tops), 2, width))
    values[0, :, at:] = rules.upper_bonus
    _solve(values.ravel(), width, tops, entries, entries.more * LANES)
    values[:, :, at] -= rules.upper_bonus
    return np.ascontiguousarray(values[:, :, : at + 1])


@kernel(_nrt=True, error_model="numpy")
def _solve(values, width, tops, entries, more):
    """Fill in `values`, flattened from (2**boxes, 2, width).

    tops : (2**boxes, 2), the largest upper total to solve, or -1 if the card is not reachable.
    """
    _, box, points, upper, further, earns = entries[:6]
    size, at = len(entries.chances), entries.upper_at
    W = np.empty((size + len(more)) * LANES)
    first, fits, after = np.empty(size + 1, np.int64), np.empty(len(box), np.int64), np.empty(len(box), np.int64)
    scored = np.empty(len(box))
    for card in range(1, len(tops)):
        fitting(card, entries, first, fits)
        for bonus in range(2):
            if tops[card, bonus] < 0:
                continue
            for k in range(first[size]):
                e = fits[k]
                after[k] = ((card ^ 1 << box[e]) * 2 + (bonus | earns[e])) * width + upper[e]
                scored[k] = points[e] + bonus * further[e]
            row = (2 * card + bonus) * width
            for lane in range(0, tops[card, bonus] + 1, LANES):
                for roll in range(size):
                    best = load(values, after[first[roll]] + lane) + scored[first[roll]]
                    for k in range(first[roll] + 1, first[roll + 1]):
                        worth = load(values, after[k] + lane) + scored[k]
                        best = where(worth > best, worth, best)
                    store(W, roll * LANES, best)
                to_the_start(W, more, entries.throws)
                store(values, row + lane, load(W, len(W) - LANES))
            for beyond in range(at + 1, width):
                values[row + beyond] = values[row + at]


@inner(error_model="numpy")
def to_the_start(W, more, rolls):
    """Turn the values of rolls at the end of a turn into the value before the first throw, by backward induction over
    sets of dice. W : (sets * LANES,), eight turns side by side."""
    sets, sides = len(W) // LANES, more.shape[1]
    size, part = sets - len(more), 1.0 / sides
    for again in range(rolls):
        if again:
            for kept in range(sets - 1, size - 1, -1):
                worth = load(W, kept * LANES)
                for face in range(sides):
                    place = more[kept - size, face]
                    best = load(W, place)
                    store(W, place, where(worth > best, worth, best))
        for kept in range(size, sets):
            mean = load(W, more[kept - size, 0])
            for face in range(1, sides):
                mean = mean + load(W, more[kept - size, face])
            store(W, kept * LANES, mean * part)
