"""Probabilities of at least so many points: does each published number follow from those of one slot less?

The strategy that maximises the expected score is found by rank (Böcker 2015, section 6).
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.certify.sheets.one_roll.distribution import optimal_slot
from dicebase.certify.sheets.one_roll.rank import expected_rolls
from dicebase.certify.sheets.one_roll.referee import scores_by_values
from dicebase.certify.sheets.one_roll.sets import count_decisions
from dicebase.certify.simulation import Simulation, simulate
from dicebase.matches.exceed import ChanceToExceed


def check(listing: ChanceToExceed, published: Published, fail: Fail) -> Finding:
    """Recompute every number from the published ones of the sets with one slot less."""
    rules, most = listing.rules, listing.most
    needed = [np.arange(1, points + 1) for points in most]
    check_key_columns(published, [np.repeat(np.arange(len(most)), most), np.concatenate(needed)], fail)
    columns = [np.split(column, np.cumsum(most)[:-1]) for column in (published.values, *published.more)]
    values, fixed = ([np.concatenate([[1.0], rows]) for rows in column] for column in columns)
    total, expected = sum(rules.weights.values()), expected_rolls(rules.weights, rules.slots)
    residuals = [0.0] * (rules.slots + 1)
    for free in range(1, len(most)):
        again, own = np.zeros((2, most[free])), [i + 1 for i in range(rules.slots) if free >> i & 1]
        for roll, weight in rules.weights.items():
            left = {slot: (free & ~(1 << slot - 1), needed[free] - rules.gain(slot, roll)) for slot in own}
            options = [_at(values[after], points) for after, points in left.values()]
            after, points = left[optimal_slot(rules, expected, own, roll)]
            again += weight / total * np.array([np.max(options, axis=0), _at(fixed[after], points)])
        keys = [np.full(most[free], free), needed[free]]
        for name, said, found in zip(("probability", "score_optimal"), (values, fixed), again, strict=True):
            difference = np.abs(found - said[free][1:])
            what = f"the {name} is {{!r}}, the rules give {{!r}}"
            refuse(keys, fail, ~(difference <= 1e-12), what, said[free][1:], found)
            slots = free.bit_count()
            residuals[slots] = max(residuals[slots], float(difference.max(initial=0.0)))
    rounding = EPSILON * (2 * len(rules.weights) + 2)
    bound = sum(residuals) + rules.slots * rounding
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
