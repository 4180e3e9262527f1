"""Check score distributions: play forward from the first roll, in doubles, with strategies found by another method.

The optimal strategy places a roll by its rank among the expected rolls (Böcker 2015, section 6), not by sets of slots;
the clairvoyant one fills slots from the lowest roll up, by the conditional probabilities of equation (7). All terms are
positive, so a probability has a relative error of a few roundings per round.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from math import comb

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published
from dicebase.certify.sheets.one_roll.policies import Alone
from dicebase.certify.sheets.one_roll.rank import check_exact, expected_rolls, scores_by_rank
from dicebase.matches import LEAST
from dicebase.matches.distribution import ScoreDistribution
from dicebase.vocabulary import MultiplierScorecard


def check(listing: ScoreDistribution, published: Published, fail: Fail) -> Finding:
    """Compute the three distributions again and compare every probability."""
    rules = listing.rules
    play = {"optimal": optimal_scores, "random": _random, "clairvoyant": _clairvoyant}
    # A probability is a sum of products over rounds: at most one rounding per roll and slot of each round.
    rounding = EPSILON * rules.slots * (len(rules.weights) + rules.slots + 3)
    check_exact(published.exact, rules.factors, rules.weights, fail)
    again = {strategy: play[strategy](rules) for strategy in listing.strategies}
    worst = check_scores(published, again, 4 * rounding, fail)
    value = sum(score * p for score, p in again["optimal"].items())
    size = max(map(abs, rules.weights)) * sum(map(abs, rules.factors))
    proof = "played forward in doubles: no probability differs by more"
    return Finding(value, 4 * rounding * size, worst + rounding, worst, proof)


def check_scores(published: Published, again: Mapping[str, Mapping[int, float]], tolerance: float, fail: Fail) -> float:
    """Compare the published probabilities with those in `again`, by strategy and score; return the largest difference.
    Fail if a relative difference exceeds `tolerance`, or if the scores differ."""
    (names, scores), worst = published.keys, 0.0
    if other := set(names) - again.keys():
        fail(None, f"also has the strategies {sorted(other)}")
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
    """Simulate cards filled by rank for the most points, because the table has no decisions."""
    rules = listing.rules
    play = partial(scores_by_rank, rules, rules.factors, expected_rolls(rules.weights, rules.slots - 1))
    return simulate(play, seed, listing.unit_of_game, rules.spread)


def _as_dict(rules: MultiplierScorecard, chances: np.ndarray) -> dict[int, float]:
    return {rules.least + s: float(chances[s]) for s in np.flatnonzero(chances >= LEAST).tolist()}


def optimal_scores(rules: MultiplierScorecard) -> dict[int, float]:
    """Return {final score: probability} for the strategy that maximises the expected score."""
    total, size = sum(rules.weights.values()), rules.spread + 1
    chances: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(size))
    slots = Alone(rules).best.tolist()
    chances[len(slots) - 1][0] = 1.0
    for free in range(len(slots) - 1, 0, -1):
        now = chances.pop(free, np.zeros(0))
        for x, weight in enumerate(rules.weights.values() if now.any() else ()):
            shift = rules.above[slots[free][x]][x]
            chances[free ^ 1 << slots[free][x]][shift:] += now[: size - shift] * (weight / total)
    return _as_dict(rules, chances[0])


def _random(rules: MultiplierScorecard) -> dict[int, float]:
    """Return the distribution under random placement: the slots then hold independent rolls."""
    total, chances = sum(rules.weights.values()), np.ones(1)
    for row in rules.above:
        chances = np.convolve(chances, np.bincount(row, [weight / total for weight in rules.weights.values()]))
    return _as_dict(rules, chances)


def _clairvoyant(rules: MultiplierScorecard) -> dict[int, float]:
    size, slots, left = rules.spread + 1, rules.slots, sum(rules.weights.values())
    placed = {0: np.eye(1, size)[0]}  # by the number of rolls placed; the lowest are placed first
    for x, weight in enumerate(rules.weights.values()):
        # Compute q from its own weights, because 1 - p would lose digits.
        p, q, left = weight / left, (left - weight) / left, left - weight
        after: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(size))
        for done, now in placed.items():
            for k in range(slots - done + 1):
                shift = sum(rules.above[i][x] for i in range(done, done + k))
                chance = comb(slots - done, k) * p**k * q ** (slots - done - k)
                after[done + k][shift:] += now[: size - shift] * chance
        placed = after
    return _as_dict(rules, placed[slots])
