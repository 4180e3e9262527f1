"""Exact distributions of the final score of Ten Times Eighteen (sections 2, 5, 7 and 8).

The paper reports medians and average scores of one million simulated games; here the whole
distribution is computed.  Games are given as in ten_times_eighteen.
"""

from fractions import Fraction
from functools import cache
from math import comb

from reference.ten_times_eighteen import subset_table

STRATEGIES = ("optimal", "random", "clairvoyant")


def score_distribution(weights, multipliers, strategy):
    """{score: probability} of the total score, sorted by score, exact.

    'optimal' places every roll by equation (3); among equally good slots it takes the
    lowest.  The paper's game has no such tie.  'random' puts each roll into a uniformly
    random free slot.  'clairvoyant' knows all rolls in advance and sorts them.
    """
    play = {"optimal": _optimal, "random": _random, "clairvoyant": _clairvoyant}[strategy]
    counts = play(weights, multipliers)
    total = sum(weights.values()) ** len(multipliers)
    return {score: Fraction(count, total) for score, count in sorted(counts.items())}


def _add(target, source, shift, factor):
    for score, count in source.items():
        target[score + shift] = target.get(score + shift, 0) + factor * count


def _optimal(weights, multipliers):
    M = subset_table(weights, multipliers)

    @cache
    def remaining(A):
        if not A:
            return {0: 1}
        counts = {}
        for x, weight in weights.items():
            best = max(sorted(A), key=lambda i: multipliers[i - 1] * x + M[A - {i}])
            _add(counts, remaining(A - {best}), multipliers[best - 1] * x, weight)
        return counts

    return remaining(frozenset(range(1, len(multipliers) + 1)))


def _random(weights, multipliers):
    # The slots are chosen without looking at the rolls, so the rolls in slots 1, 2, ... are
    # independent, each distributed like X.
    counts = {0: 1}
    for m in multipliers:
        after = {}
        for x, weight in weights.items():
            _add(after, counts, m * x, weight)
        counts = after
    return counts


def _clairvoyant(weights, multipliers):
    # Rolls are handed out from the highest downwards: open_slots[n] holds the counts of the
    # partial scores with the n least multipliers still open.
    m = sorted(multipliers)
    open_slots = {len(m): {0: 1}}
    for x in sorted(weights, reverse=True):
        after = {}
        for n, counts in open_slots.items():
            for k in range(n + 1):
                factor = comb(n, k) * weights[x] ** k
                _add(after.setdefault(n - k, {}), counts, x * sum(m[n - k : n]), factor)
        open_slots = after
    return open_slots[0]


def mean(chances):
    """Expected score of {score: probability}."""
    return sum((p * score for score, p in chances.items()), Fraction(0))


def variance(chances):
    """Variance of {score: probability}, exact."""
    centre = mean(chances)
    return sum((p * (score - centre) ** 2 for score, p in chances.items()), Fraction(0))


def standard_deviation(chances):
    """Square root of the variance, as a float."""
    return float(variance(chances)) ** 0.5


def medians(chances):
    """(least, greatest) score m of positive probability with P(<= m) and P(>= m) both >= 1/2."""
    half = Fraction(1, 2)
    found, below = [], Fraction(0)
    for score in sorted(chances):
        if chances[score] and below <= half <= below + chances[score]:
            found.append(score)
        below += chances[score]
    return found[0], found[-1]
