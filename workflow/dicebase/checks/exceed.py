"""Probabilities of at least so many points: does each published number follow from those of one slot less?

A maximum moves by no more than what moves most, and a mean too: the error with k free slots is at most the largest
residual with k free slots plus the error with k - 1. The strategy that maximises the expected score is found by rank
(Böcker 2015, section 6) and played forward by checks/distribution.py, whose tail must be the published one.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dicebase.checks import EPSILON, Finding
from dicebase.checks.distribution import optimal_scores
from dicebase.game import State
from dicebase.matches.exceed import Match
from dicebase.published import Published


def check(
    listing: Match, published: Published, exact: Fraction | None, fail: Callable[[State | None, str], None]
) -> Finding:
    """Recompute every number from the published ones of the sets with one slot less."""
    rules, most = listing.rules, listing.most
    expected = {(free, needed) for free in range(1, len(most)) for needed in range(1, most[free] + 1)}
    if odd := expected ^ published.values.keys():
        fail(min(odd), "is missing" if min(odd) in expected else "is not part of the table")
    values = [np.array([1.0])] + [
        np.array([1.0, *(published.values[free, needed] for needed in range(1, most[free] + 1))])
        for free in range(1, len(most))
    ]
    total = sum(rules.weights.values())
    residuals = [0.0] * (rules.slots + 1)
    for free in range(1, len(most)):
        needed = np.arange(1, most[free] + 1)
        again = np.zeros(len(needed))
        for roll, weight in rules.weights.items():
            options = [
                _at(values[free & ~(1 << i)], needed - rules.gain(i + 1, roll))
                for i in range(rules.slots)
                if free >> i & 1
            ]
            again += weight / total * np.max(options, axis=0)
        difference = np.abs(again - values[free][1:])
        worst = int(difference.argmax())
        if not difference[worst] <= 1e-12:
            fail((free, worst + 1), f"the probability is {values[free][worst + 1]!r}, the rules give {again[worst]!r}")
        slots = free.bit_count()
        residuals[slots] = max(residuals[slots], float(difference[worst]))
    rounding = EPSILON * (2 * len(rules.weights) + 2)
    bound = sum(residuals) + rules.slots * rounding
    _check_score_optimal(listing, published, bound, fail)
    value = published.values[len(most) - 1, listing.middle]
    return Finding(value, bound, bound, max(residuals), "residuals, summed over the number of free slots")


def _at(values: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """The probability of that many points: certain below one, impossible beyond the most."""
    return np.where(needed < len(values), values[np.clip(needed, 0, len(values) - 1)], 0.0)


def _check_score_optimal(listing: Match, published: Published, bound: float, fail: Callable) -> None:
    """The other strategy: never better than the best, and from the start as played forward."""
    for row, (probability,) in published.more.items():
        if not -bound <= probability <= published.values[row] + bound:
            fail(row, f"score_optimal is {probability!r}, more than the best, {published.values[row]!r}")
    scores = optimal_scores(listing.rules)
    tail, full = 0.0, (1 << listing.rules.slots) - 1
    for needed in range(listing.most[full], 0, -1):
        tail += scores.get(needed, 0.0)
        if not abs(published.more[full, needed][0] - tail) <= bound + 1e-12:
            fail((full, needed), f"score_optimal is {published.more[full, needed][0]!r}, played forward {tail!r}")
