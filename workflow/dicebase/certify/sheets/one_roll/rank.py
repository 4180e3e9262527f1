"""Check expected rolls by rank: recompute each row from the one published before it (docs/why/certificates.md)."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.chance import dice, throw
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.matches.sheets.rank import ExpectedRolls
from dicebase.vocabulary import MultiplierScorecard, weighted_mean
from dicebase.vocabulary.kernels import kernel


def check(listing: ExpectedRolls, published: Published, fail: Fail) -> Finding:
    """Recompute every row from the published row before it."""
    weights, slots = listing.rules.weights, listing.rules.slots
    check_key_columns(published, np.array(np.tril_indices(slots)) + 1, fail)
    rolls, largest = np.array([*weights], np.longdouble)[:, np.newaxis], max(map(abs, weights))
    chances = np.array([weight / sum(weights.values()) for weight in weights.values()], np.longdouble)
    # A sum of n long doubles rounds n times, which matters only on processors whose long doubles are doubles.
    rounding = max(4 * EPSILON, len(weights) * float(np.finfo(np.longdouble).eps)) * largest
    row, residual, error = np.empty(0), 0.0, 0.0
    for j in range(1, slots + 1):
        some = slice(j * (j - 1) // 2, j * (j + 1) // 2)
        below, row = row, published.values[some]
        again = (chances @ np.clip(rolls, np.append(-np.inf, below), np.append(below, np.inf))).astype(float)
        off = np.abs(again - row)
        what = f"the expected roll is {{!r}}, from row {j - 1} it is {{!r}}"
        refuse([key[some] for key in published.keys], fail, ~(off <= 1e-9 * largest), what, row, again)
        residual, error = max(residual, float(off.max())), error + float(off.max()) + rounding
    check_exact(published.exact, range(1, slots + 1), weights, fail)
    value = math.fsum(i * e for i, e in enumerate(row.tolist(), start=1))
    value_bound = (error + 4 * EPSILON * largest) * slots * (slots + 1) / 2
    return Finding(value, value_bound, error, residual, "residuals of the recurrence, summed over the rows")


def simulated(listing: ExpectedRolls, published: Published, seed: int) -> Simulation | None:
    """Simulate cards with the multipliers 1 to n, filled by the published expected rolls."""
    rules, factors = listing.rules, range(1, listing.rules.slots + 1)
    expected = [[published.value_of[j, i] for i in range(1, j + 1)] for j in range(rules.slots)]
    spread = (max(rules.weights) - min(rules.weights)) * sum(factors)
    return simulate(partial(scores_by_rank, rules, factors, expected), seed, listing.value.unit, spread)


def check_exact(exact: Fraction | None, factors: Sequence[int], weights: Mapping[int, int], fail: Fail) -> None:
    """Fail unless an exact value, if given, is right for these multipliers: the i-th smallest gets E_n[i]."""
    if exact is None:
        return
    if exact != sum(f * e for f, e in zip(factors, expected_rolls(weights, len(factors))[-1], strict=True)):
        fail(None, f"the exact value, {float(exact)!r}, is not the one the rules give in rationals")


def expected_rolls(weights: Mapping[int, int], slots: int) -> list[list[Fraction]]:
    """Return E_0 to E_slots in rationals, each the mean of the rolls clipped by the row before."""
    rows: list[list[Fraction]] = [[]]
    for j in range(1, slots + 1):
        low, high = min(weights), max(weights)
        bars = [Fraction(low), *rows[-1], Fraction(high)]
        clipped = ([min(max(x, bars[i]), bars[i + 1]) for x in weights] for i in range(j))
        rows.append([weighted_mean(list(weights.values()), row) for row in clipped])
    return rows


def scores_by_rank(
    rules: MultiplierScorecard, factors: Sequence[int], expected: Sequence[Sequence[float]], streams: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return the final score of each game, and the number of rolls placed, if the rank of a roll among the expected
    rolls selects its slot, the lowest of equally good ones.

    factors : the slots' factors, which never decrease. expected : E_j for j = 0 to slots - 1, in rising order
    (matches/sheets/rank.py). streams : random numbers for each game; they are advanced.
    """
    rows = np.array([e for row in expected for e in row], float)
    first = np.cumsum([0, *map(len, expected)])
    thrown, rolls = dice([rules.weights.values()]), np.array(list(rules.weights))
    return _by_rank(thrown, rolls, np.array(factors), rows, first, streams), len(streams) * len(factors)


@kernel(_nrt=True)
def _by_rank(thrown, rolls, factors, expected, first, streams):
    """Play games; expected : the rows E_j concatenated, row j from first[j] on; return the final scores, (games,)."""
    scores = np.zeros(len(streams))
    for game in range(len(streams)):
        free = factors.copy()
        for left in range(len(factors) - 1, -1, -1):
            roll = rolls[throw(thrown, 0, streams, game)]
            rank = np.searchsorted(expected[first[left] : first[left + 1]], roll)
            scores[game] += free[rank] * roll
            for i in range(rank, left):
                free[i] = free[i + 1]
    return scores
