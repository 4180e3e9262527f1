"""Reference solution of Ten Times Eighteen, written from the paper alone.

S. Böcker, "Ten Times Eighteen" (received 2014, accepted 2015).  A game is a pair (weights,
multipliers): weights maps each roll to a positive integer proportional to its probability,
and slot i = 1, 2, ... has the multiplier multipliers[i - 1].  Sets of slots are frozensets
of these numbers.  Everything is an exact fraction; clarity is preferred to speed.
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

PAPER = tuple(range(1, 11))
"""The multipliers of the paper's game, which is played with distribution(3, 6)."""


def distribution(dice, sides):
    """Table 1: number of ways of each sum of `dice` fair dice with faces 1, ..., sides."""
    faces = range(1, sides + 1)
    return dict(sorted(Counter(map(sum, product(faces, repeat=dice))).items()))


def loaded_distribution():
    """Table 6, out of 169: two twelve-sided dice, 12 having probability 2/13 on each."""
    die = dict.fromkeys(range(1, 12), 1) | {12: 2}
    ways = Counter()
    for a, b in product(die, repeat=2):
        ways[a + b] += die[a] * die[b]
    return dict(sorted(ways.items()))


LOADED = loaded_distribution()


def probabilities(weights):
    """P(X = x) of section 2 as exact fractions."""
    total = sum(weights.values())
    return {x: Fraction(weight, total) for x, weight in sorted(weights.items())}


def subset_table(weights, multipliers):
    """Equation (1): {A: M[A]}, A being the set of slots that are still free.

    The prose of section 4 and equations (2) and (3) call A the filled slots; (1), M[B] and
    Table 2 only make sense with A as the slots still to be filled, which is used here.
    """
    return nonlinear_table(weights, lambda i, x: multipliers[i - 1] * x, len(multipliers))


def nonlinear_table(weights, gain, slots):
    """Equation (1) with gain(i, x) instead of i * x, for slots 1, ..., `slots` (section 10)."""
    P = probabilities(weights)
    M = {frozenset(): Fraction(0)}

    def value(A):
        if A not in M:
            M[A] = sum((p * max(gain(i, x) + value(A - {i}) for i in A) for x, p in P.items()), Fraction(0))
        return M[A]

    value(frozenset(range(1, slots + 1)))
    return M


def nonlinear_value(weights, gain, slots):
    """Best expected total when roll x in slot i scores gain(i, x) (section 10)."""
    return nonlinear_table(weights, gain, slots)[frozenset(range(1, slots + 1))]


def calls(weights, multipliers):
    """(free, roll, {slot: expected total}) of every decision between two or more slots."""
    M = subset_table(weights, multipliers)
    for A in M:
        for x in weights if len(A) > 1 else ():
            yield A, x, {i: multipliers[i - 1] * x + M[A - {i}] for i in sorted(A)}


def closest_calls(weights, multipliers):
    """Section 5: least positive loss of the runner-up, and its (free, roll, best, runner-up)."""
    least, where = None, []
    for A, x, options in calls(weights, multipliers):
        first, second = sorted(options, key=options.get, reverse=True)[:2]
        loss = options[first] - options[second]
        if loss and (least is None or loss <= least):
            where = (where if loss == least else []) + [(A, x, first, second)]
            least = loss
    return least, where


def rank_table(weights, slots):
    """Recurrence (6): {(j, i): E_j[i]} for j = 1, ..., slots and i = 1, ..., j.

    (6) prints I_j(x); an index that belongs to the row E_{j-1}, as in the rule of play after
    Table 4, is what makes it a recurrence, and reproduces Table 4.
    """
    P = probabilities(weights)
    rows = {0: []}
    for j in range(1, slots + 1):
        before = rows[j - 1]
        rows[j] = [Fraction(0)] * j
        for x, p in P.items():
            index = sum(e < x for e in before)
            for i, e in enumerate([*before[:index], Fraction(x), *before[index:]]):
                rows[j][i] += p * e
    return {(j, i): e for j, row in rows.items() for i, e in enumerate(row, start=1)}


def rank_value(weights, multipliers):
    """End of section 6: the sum of i * E_k[i], for any multipliers (they are sorted here)."""
    k = len(multipliers)
    E = rank_table(weights, k)
    return sum((m * E[k, i] for i, m in enumerate(sorted(multipliers), start=1)), Fraction(0))


def clairvoyant_table(weights, multipliers):
    """Recurrence (7): {(y, l): Q[y, l]} for x_min - 1 <= y <= x_max and 0 <= l <= L.

    By the recurrence Q[y, l] is the expected score of l free slots, those with the l least
    multipliers, given that all l rolls are at most y; the prose says "x < y".
    """
    P = probabilities(weights)
    m = sorted(multipliers)
    L, low, high = len(m), min(P), max(P)

    def S(i, j):
        return sum(m[i - 1 : j])

    Q = {(low - 1, left): Fraction(0) for left in range(L + 1)}
    for y in range(low, high + 1):
        p = P.get(y, Fraction(0)) / sum(prob for x, prob in P.items() if x <= y)
        for left in range(L + 1):
            Q[y, left] = Fraction(0)
            for k in range(left + 1):
                chance = comb(left, k) * p**k * (1 - p) ** (left - k)
                Q[y, left] += chance * (y * S(left - k + 1, left) + Q[y - 1, left - k])
    return Q


def order_statistics(weights, slots):
    """Expected i-th smallest of `slots` rolls, i = 1, ..., slots: a third way to check (7).

    The i-th smallest is at most y when at least i rolls are.
    """
    P = probabilities(weights)
    means = [Fraction(0)] * slots
    below = [Fraction(0)] * slots
    for y in P:
        F = sum(p for x, p in P.items() if x <= y)
        terms = [comb(slots, k) * F**k * (1 - F) ** (slots - k) for k in range(slots + 1)]
        for i in range(slots):
            up_to = sum(terms[i + 1 :])
            means[i] += y * (up_to - below[i])
            below[i] = up_to
    return means
