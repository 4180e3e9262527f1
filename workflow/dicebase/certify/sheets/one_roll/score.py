"""ScoreBySets of all sets of free slots: does each follow from the published ones of the sets with one slot less?

docs/why/certificates.md says what that proves. Where slots multiply, every value must also be what the expected rolls
by rank earn (equation (4) of Böcker 2015), and the exact one is the rank method's.
"""

import math
from fractions import Fraction
from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.certify.sheets.one_roll.rank import check_exact, expected_rolls
from dicebase.certify.sheets.one_roll.referee import scores_by_values, spread_of
from dicebase.certify.sheets.one_roll.sets import count_decisions
from dicebase.certify.simulation import Simulation, simulate
from dicebase.matches.score import ScoreBySets


def check(listing: ScoreBySets, published: Published, fail: Fail) -> Finding:
    """Recompute every value from the published ones of the sets with one slot less."""
    rules = listing.rules
    check_key_columns(published, [np.arange(1, 1 << rules.slots)], fail)
    values = np.concatenate([[0.0], published.values])
    sizes = np.bitwise_count(np.arange(len(values)))
    size = max(abs(p.gain) for p in listing.placements)
    error = worst = 0.0
    for k in range(1, rules.slots + 1):
        sets = np.flatnonzero(sizes == k)
        again = _one_step(listing, values, sets)
        # Of each term: the gain is added, the probability rounded and multiplied, the terms are summed.
        reached = size + float(np.abs(values[sizes == k - 1]).max())
        rounding = EPSILON * (len(rules.weights) + 3) * reached
        residual = np.abs(again - values[sets])
        wrong = ~(residual <= 2 * rounding)
        refuse([sets], fail, wrong, "the value is {!r}, the rules give {!r}", values[sets], again)
        worst = max(worst, float(residual.max()))
        error += float(residual.max()) + rounding
    proof = "residuals, summed over the number of free slots"
    if rules.multiplies:
        _check_by_rank(listing, values, sizes, error, published.exact, fail)
        proof += "; every value is that of the expected rolls by rank"
    value = float(values[-1])
    # A q-value is what a slot scores added to a value.
    bound = error + math.ulp(size + float(np.abs(values).max())) / 2
    return Finding(value, error, bound, worst, proof, *count_decisions(rules, published.keys[0]))


def simulated(listing: ScoreBySets, published: Published, seed: int) -> Simulation | None:
    """Cards filled by the published values."""
    play = partial(scores_by_values, listing, published, 0)
    return simulate(play, seed, listing.value.unit, spread_of(listing.rules))


def _one_step(listing: ScoreBySets, values: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """The mean over rolls of the best placement, for these sets of free slots."""
    rules = listing.rules
    total = sum(rules.weights.values())
    slots = [(slot, (sets >> slot - 1 & 1).astype(bool)) for slot in range(1, rules.slots + 1)]
    rest = [(slot, np.where(free, values[sets & ~(1 << slot - 1)], -np.inf)) for slot, free in slots if free.any()]
    again = np.zeros(len(sets))
    for roll, weight in rules.weights.items():
        best = np.full(len(sets), -np.inf)
        for slot, values_after in rest:
            np.maximum(best, values_after + rules.gain(slot, roll), out=best)
        again += weight / total * best
    return again


def _check_by_rank(
    listing: ScoreBySets, values: np.ndarray, sizes: np.ndarray, error: float, exact: Fraction | None, fail: Fail
) -> None:
    """The i-th smallest of k free multipliers earns E_k[i], whichever they are."""
    rules = listing.rules
    expected = expected_rolls(rules.weights, rules.slots)
    rolls = np.zeros((rules.slots + 1, rules.slots))
    for k, row in enumerate(expected):
        rolls[k, :k] = [float(e) for e in row]
    sets = np.arange(len(values))
    by_rank = np.zeros(len(values))
    for slot, factor in enumerate(rules.factors):
        free = (sets >> slot & 1).astype(bool)
        rank = np.bitwise_count(sets[free] & (1 << slot) - 1)
        by_rank[free] += factor * rolls[sizes[free], rank]
    most = float(np.abs(rolls).max()) * sum(map(abs, rules.factors))
    wrong = ~(np.abs(by_rank - values) <= error + EPSILON * (rules.slots + 2) * most)
    refuse([sets], fail, wrong, "the value is {!r}, by rank it is {!r}", values, by_rank)
    if exact is None:
        fail(None, "the exact value is missing")
    check_exact(exact, rules.factors, rules.weights, fail)
