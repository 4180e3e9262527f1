"""Check score distributions: play forward from the first roll, in doubles, with strategies found by another method.

The optimal strategy places a roll by its rank among the expected rolls (Böcker 2015, section 6), not by sets of slots;
the clairvoyant one fills slots from the lowest roll up, by the conditional probabilities of equation (7). All terms are
positive, so a probability has a relative error of a few roundings per round.
"""

from collections import defaultdict
from functools import partial
from math import comb

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published
from dicebase.certify.sheets.distribution import PROOF, check_scores, played
from dicebase.certify.sheets.one_roll.rank import check_exact, expected_rolls, scores_by_rank
from dicebase.certify.sheets.turn import cards_of
from dicebase.matches.distribution import ScoreDistribution
from dicebase.vocabulary import MultiplierScorecard


def check(listing: ScoreDistribution, published: Published, fail: Fail) -> Finding:
    """Compute the three distributions again and compare every probability."""
    rules = listing.rules
    check_exact(published.exact, rules.factors, rules.weights, fail)
    optimal, error = played(cards_of(rules), "optimal")
    # The clairvoyant player's probabilities have at most two roundings per slot for each value of a roll.
    error = max(error, EPSILON * len(rules.weights) * (rules.slots + 4))
    by_name = {"clairvoyant": _clairvoyant(rules), "optimal": optimal[-rules.spread - 1 :], "random": _random(rules)}
    worst = check_scores(published, by_name, rules.least, 4 * error, fail)
    value = float(np.arange(rules.least, rules.least + rules.spread + 1) @ by_name["optimal"])
    size = max(map(abs, rules.weights)) * sum(map(abs, rules.factors))
    return Finding(value, 4 * error * size, worst + error, worst, PROOF)


def simulated(listing: ScoreDistribution, published: Published, seed: int) -> Simulation | None:
    """Simulate cards filled by rank for the most points, because the table has no decisions."""
    rules = listing.rules
    play = partial(scores_by_rank, rules, rules.factors, expected_rolls(rules.weights, rules.slots - 1))
    return simulate(play, seed, listing.unit_of_game, rules.spread)


def _random(rules: MultiplierScorecard) -> np.ndarray:
    """Return the distribution under random placement: the slots then hold independent rolls."""
    total, chances = sum(rules.weights.values()), np.ones(1)
    for row in rules.above:
        chances = np.convolve(chances, np.bincount(row, [weight / total for weight in rules.weights.values()]))
    return chances


def _clairvoyant(rules: MultiplierScorecard) -> np.ndarray:
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
    return placed[slots]
