"""Check ScoreBySets like the values of a sheet (sheets/score.py). If slots multiply, every value must also follow from
the expected rolls by rank (equation (4) of Böcker 2015), and the exact value must be that of the rank method."""

import math
from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, refuse
from dicebase.certify.sheets.one_roll.rank import check_exact, expected_rolls
from dicebase.certify.sheets.one_roll.referee import count_decisions, scores_by_values
from dicebase.certify.sheets.score import PROOF, check_starts
from dicebase.certify.sheets.turn import cards_of
from dicebase.matches.sheets.score import ScoreBySets


def check(listing: ScoreBySets, published: Published, fail: Fail) -> Finding:
    """Compute every value again from the rules alone."""
    rules = listing.rules
    error, worst = check_starts(cards_of(rules), published, fail)
    proof = PROOF
    if rules.multiplies:
        _check_by_rank(listing, published, error, fail)
        proof += "; every value is that of the expected rolls by rank"
    # A q-value is the points of a slot plus a value.
    bound = error + math.ulp(np.abs(rules.gains).max() + float(np.abs(published.values).max())) / 2
    return Finding(float(published.values[-1]), error, bound, worst, proof, *count_decisions(listing, published))


def simulated(listing: ScoreBySets, published: Published, seed: int) -> Simulation | None:
    """Simulate filling cards by the published values."""
    play = partial(scores_by_values, listing, published, 0)
    return simulate(play, seed, listing.value.unit, listing.rules.spread)


def _check_by_rank(listing: ScoreBySets, published: Published, error: float, fail: Fail) -> None:
    """Check every value by rank: the i-th smallest of any k free multipliers gets the expected roll E_k[i]."""
    rules, (sets,) = listing.rules, published.keys
    rolls = np.zeros((rules.slots + 1, rules.slots))
    for k, row in enumerate(expected_rolls(rules.weights, rules.slots)):
        rolls[k, :k] = [float(e) for e in row]
    sizes, by_rank = np.bitwise_count(sets), np.zeros(len(sets))
    for slot, factor in enumerate(rules.factors):
        free = (sets >> slot & 1).astype(bool)
        by_rank[free] += factor * rolls[sizes[free], np.bitwise_count(sets[free] & (1 << slot) - 1)]
    most = float(np.abs(rolls).max()) * sum(map(abs, rules.factors))
    wrong = ~(np.abs(by_rank - published.values) <= error + EPSILON * (rules.slots + 2) * most)
    refuse([sets], fail, wrong, "the value is {!r}, by rank it is {!r}", published.values, by_rank)
    if published.exact is None:
        fail(None, "the exact value is missing")
    check_exact(published.exact, rules.factors, rules.weights, fail)
