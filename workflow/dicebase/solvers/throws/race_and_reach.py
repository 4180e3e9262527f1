"""Matches of single throws for one player, in rationals: the fewest throws, and the best chance within so many
(sections 3.1 and 3.2 of Tijms & van der Wal), by the equations of docs/why/solvers.md.

A rational is an integer over a power of the sum of weights: V has the weights of all throws that score in its
denominator, so numbers stay short.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from dicebase.vocabulary import weighted_mean

Gains = Sequence[Mapping[int, int]]
"""By throw: {points gained: weight}, 0 being a throw of nothing."""


def matrix(gains: Gains, unit: int) -> np.ndarray:
    """Probabilities by throw and gain in units, shape (throws, largest gain + 1)."""
    q = np.zeros((len(gains), max(max(g) for g in gains) // unit + 1))
    for row, weights in zip(q, gains, strict=True):
        total = sum(weights.values())
        for points, weight in weights.items():
            row[points // unit] = weight / total
    return q


def race_q(gains: Gains, target: int, unit: int) -> list[list[Fraction]]:
    """By score (in units of points) and throw: the expected number of throws to the target if this one comes first.

    A throw of nothing is followed by the best throw, not by the same one again.
    """
    best: dict[int, Fraction] = {}
    rows = []
    for score in reversed(range(0, target, unit)):
        repeated = []
        for weights in gains:
            ahead = {g: w for g, w in weights.items() if g}
            mean = weighted_mean(list(ahead.values()), [best.get(score + g, Fraction(0)) for g in ahead])
            scores = sum(ahead.values())
            repeated.append((mean, Fraction(scores + weights.get(0, 0), scores)))
        best[score] = value = min(mean + throws for mean, throws in repeated)
        # Once this throw, then as well as possible.
        rows.append([1 + (mean - value) / throws + value for mean, throws in repeated])
    return rows[::-1]


def reach_q(gains: Gains, target: int, unit: int, limit: int) -> list[list[list[Fraction]]]:
    """By throws left (from 1), score (in units) and throw: the probability of the target if this throw comes first."""
    tables: list[list[list[Fraction]]] = []
    best = dict.fromkeys(range(0, target, unit), Fraction(0))
    for _ in range(limit):
        tables.append([])
        for score in best:
            ahead = [[best.get(score + gain, Fraction(1)) for gain in weights] for weights in gains]
            tables[-1].append([weighted_mean([*w.values()], a) for w, a in zip(gains, ahead, strict=True)])
        best = dict(zip(best, map(max, tables[-1]), strict=True))
    return tables
