"""Probabilities of at least so many points: does each published number follow from those of one slot less?

The strategy that maximises the expected score is found by rank (Böcker 2015, section 6) and played forward by
distribution.py, whose tail must be the published one.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_rows, refuse
from dicebase.certify.scorecards.distribution import optimal_scores
from dicebase.certify.scorecards.referee import scores_by_values
from dicebase.certify.scorecards.sets import count_decisions
from dicebase.certify.simulation import Simulation, simulate
from dicebase.matches.exceed import ChanceToExceed


def check(listing: ChanceToExceed, published: Published, fail: Fail) -> Finding:
    """Recompute every number from the published ones of the sets with one slot less."""
    rules, most = listing.rules, listing.most
    needed = [np.arange(1, points + 1) for points in most]
    check_rows(published, [np.repeat(np.arange(len(most)), most), np.concatenate(needed)], fail)
    values = [np.concatenate([[1.0], rows]) for rows in np.split(published.values, np.cumsum(most)[:-1])]
    total = sum(rules.weights.values())
    residuals = [0.0] * (rules.slots + 1)
    for free in range(1, len(most)):
        again = np.zeros(most[free])
        for roll, weight in rules.weights.items():
            own = (i for i in range(rules.slots) if free >> i & 1)
            options = [_at(values[free & ~(1 << i)], needed[free] - rules.gain(i + 1, roll)) for i in own]
            again += weight / total * np.max(options, axis=0)
        difference = np.abs(again - values[free][1:])
        keys = [np.full(most[free], free), needed[free]]
        what = "the probability is {!r}, the rules give {!r}"
        refuse(keys, fail, ~(difference <= 1e-12), what, values[free][1:], again)
        slots = free.bit_count()
        residuals[slots] = max(residuals[slots], float(difference.max(initial=0.0)))
    rounding = EPSILON * (2 * len(rules.weights) + 2)
    bound = sum(residuals) + rules.slots * rounding
    _check_score_optimal(listing, published, bound, fail)
    value = float(values[-1][listing.middle])
    proof = "residuals, summed over the number of free slots"
    return Finding(value, bound, bound, max(residuals), proof, *count_decisions(rules, published.keys[0]))


def simulated(listing: ChanceToExceed, published: Published, seed: int) -> Simulation | None:
    """Cards filled by the published values, as half of the most points are needed."""

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        scores, moves = scores_by_values(listing, published, listing.middle, streams)
        return (scores >= listing.middle).astype(float), moves

    return simulate(play, seed, listing.value.unit)


def _at(values: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """The probability of that many points: certain below one, impossible beyond the most."""
    return np.where(needed < len(values), values[np.clip(needed, 0, len(values) - 1)], 0.0)


def _check_score_optimal(listing: ChanceToExceed, published: Published, bound: float, fail: Fail) -> None:
    """The other strategy: never better than the best, and from the start as played forward."""
    (fixed,), best = published.more, published.values
    wrong = ~((fixed >= -bound) & (fixed <= best + bound))
    refuse(published.keys, fail, wrong, "score_optimal is {!r}, not from 0 to the best, {!r}", fixed, best)
    scores, most = optimal_scores(listing.rules), listing.most[-1]
    tail = np.cumsum([scores.get(needed, 0.0) for needed in range(most, 0, -1)])[::-1]
    from_start, keys = fixed[len(fixed) - most :], [key[len(fixed) - most :] for key in published.keys]
    wrong = ~(np.abs(from_start - tail) <= bound + 1e-12)
    refuse(keys, fail, wrong, "score_optimal is {!r}, played forward {!r}", from_start, tail)
