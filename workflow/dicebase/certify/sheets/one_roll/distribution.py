"""Score distributions: played forward from the first roll, in doubles, by strategies found in another way.

The optimal strategy places a roll by its rank among the expected rolls (Böcker 2015, section 6), not by sets of
slots; the random one draws a slot in every round; the all-knowing one fills slots from the lowest roll up, by the
conditional probabilities of equation (7). Sums of positive terms: each probability is wrong by a few roundings a round.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.sheets.one_roll.rank import check_exact, expected_rolls
from dicebase.certify.sheets.one_roll.referee import scores_by_rank, spread_of
from dicebase.certify.sheets.one_roll.sets import gains_of
from dicebase.certify.simulation import Simulation, simulate
from dicebase.matches import LEAST
from dicebase.matches.distribution import ScoreDistribution
from dicebase.vocabulary import MultiplierScorecard


def check(listing: ScoreDistribution, published: Published, fail: Fail) -> Finding:
    """Compute the three distributions again and compare every probability."""
    rules = listing.rules
    play = {"optimal": optimal_scores, "random": _random, "clairvoyant": _clairvoyant}
    # A probability is a sum over rounds of products: a rounding for each roll and slot of each round, at the most.
    rounding = EPSILON * rules.slots * (len(rules.weights) + rules.slots + 3)
    check_exact(published.exact, rules.factors, rules.weights, fail)
    again = {strategy: play[strategy](rules) for strategy in listing.strategies}
    worst = check_scores(published, again, 4 * rounding, fail)
    value = sum(score * p for score, p in again["optimal"].items())
    size = max(map(abs, rules.weights)) * sum(map(abs, rules.factors))
    proof = "played forward in doubles: no probability differs by more"
    return Finding(value, 4 * rounding * size, worst + rounding, worst, proof)


def check_scores(published: Published, again: Mapping[str, Mapping[int, float]], tolerance: float, fail: Fail) -> float:
    """The largest difference of a probability by strategy and score from those found again; fails where one differs by
    more than this part of itself, and where the scores are others."""
    (names, scores), worst = published.keys, 0.0
    if other := set(names) - again.keys():
        fail(None, f"has the strategies {sorted(other)} as well")
    for strategy, chances in again.items():
        rows = names == strategy
        said = dict(zip(scores[rows].tolist(), published.values[rows].tolist(), strict=True))
        if odd := said.keys() ^ chances.keys():
            fail((strategy, min(odd)), "is missing" if min(odd) in chances else "no game ends with this score")
        for score, chance in sorted(chances.items()):
            if not (difference := abs(said[score] - chance)) <= tolerance * chance:
                fail((strategy, score), f"probability is {said[score]!r}, played forward it is {chance!r}")
            worst = max(worst, difference)
    return worst


def simulated(listing: ScoreDistribution, published: Published, seed: int) -> Simulation | None:
    """Cards filled for the most points, by rank: the table has scores and says nothing of decisions."""
    rules = listing.rules
    play = partial(scores_by_rank, rules, rules.factors, expected_rolls(rules.weights, rules.slots - 1))
    return simulate(play, seed, listing.unit_of_game, spread_of(rules))


def _span(rules: MultiplierScorecard) -> tuple[int, int]:
    """The least final score, and how many scores there are up to the greatest."""
    return int(gains_of(rules).min(axis=1).sum()), int(spread_of(rules)) + 1


def _as_dict(least: int, probabilities: np.ndarray) -> dict[int, float]:
    return {least + int(s): float(probabilities[s]) for s in np.flatnonzero(probabilities >= LEAST)}


def _by_sets(rules: MultiplierScorecard, share: Callable[[list[int], int], Mapping[int, float]]) -> dict[int, float]:
    """Play forward over the sets of free slots; share(free slots, roll) says which slot gets how much."""
    least, size = _span(rules)
    total = sum(rules.weights.values())
    reached = {frozenset(range(1, rules.slots + 1)): np.eye(1, size)[0]}
    lowest = gains_of(rules).min(axis=1).tolist()
    for _ in range(rules.slots):
        after: dict[frozenset, np.ndarray] = {}
        for free, probabilities in reached.items():
            ordered = sorted(free)
            for roll, weight in rules.weights.items():
                for slot, part in share(ordered, roll).items():
                    target = after.setdefault(free - {slot}, np.zeros(size))
                    shift = rules.gain(slot, roll) - lowest[slot - 1]
                    target[shift:] += probabilities[: size - shift] * (weight * part / total)
        reached = after
    return _as_dict(least, reached[frozenset()])


def optimal_scores(rules: MultiplierScorecard) -> dict[int, float]:
    """The final score of the strategy that maximises its expectation: {score: probability}."""
    expected = expected_rolls(rules.weights, rules.slots)
    return _by_sets(rules, lambda free, roll: {optimal_slot(rules, expected, free, roll): 1.0})


def optimal_slot(rules: MultiplierScorecard, expected: list[list[Fraction]], free: list[int], roll: int) -> int:
    """Where the strategy that maximises the expected score places a roll, by the expected rolls of rank.py (in
    rationals: a roll may be just as much as expected)."""
    # Of equal multipliers or a roll that equals an expected one, the lowest slot.
    rank = sum(roll > e for e in expected[len(free) - 1])
    while rank and rules.factors[free[rank - 1] - 1] == rules.factors[free[rank] - 1]:
        rank -= 1
    return free[rank]


def _random(rules: MultiplierScorecard) -> dict[int, float]:
    return _by_sets(rules, lambda free, roll: dict.fromkeys(free, 1 / len(free)))


def _clairvoyant(rules: MultiplierScorecard) -> dict[int, float]:
    least, size = _span(rules)
    lowest = gains_of(rules).min(axis=1).tolist()
    placed = {0: np.eye(1, size)[0]}  # by the number of rolls placed, lowest first
    left = sum(rules.weights.values())
    for roll, weight in sorted(rules.weights.items()):
        # The rest over all that is left, not 1 - p, which cancels.
        p, q, left = weight / left, (left - weight) / left, left - weight
        after: dict[int, np.ndarray] = {}
        for done, probabilities in placed.items():
            shift = 0
            for k in range(rules.slots - done + 1):
                if k:
                    shift += rules.gain(done + k, roll) - lowest[done + k - 1]
                rest = rules.slots - done - k
                target = after.setdefault(done + k, np.zeros(size))
                chance = comb(rules.slots - done, k) * p**k * q**rest
                target[shift:] += probabilities[: size - shift] * chance
        placed = after
    return _as_dict(least, placed[rules.slots])
