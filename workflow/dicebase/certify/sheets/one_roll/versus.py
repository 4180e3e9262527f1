"""Check best responses to the score-optimal strategy: recompute each number from those with one slot fewer (steps.py).

If no slot is free, the error is that of the probabilities of the opponent's scores, which distribution.py computes by
playing forward by rank. The score-optimal strategy must earn 1/2 against itself.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.one_roll.distribution import optimal_scores
from dicebase.certify.sheets.one_roll.rank import expected_rolls, scores_by_rank
from dicebase.certify.sheets.one_roll.steps import check_steps, count_decisions, scores_by_values
from dicebase.matches.sheets.versus import BestResponse


def check(listing: BestResponse, published: Published, fail: Fail) -> Finding:
    """Recompute every number from the published ones of the sets with one slot fewer."""
    rules, points = listing.rules, _reached(listing)
    keys = [np.repeat(np.arange(len(points)), [*map(len, points)]), np.concatenate(points)]
    check_key_columns(published, keys, fail)
    theirs = optimal_scores(rules)
    equal = np.array([theirs.get(score, 0.0) for score in points[0].tolist()])
    payoff = np.cumsum(equal) - equal / 2
    # P(score) has an error of a few roundings per round (distribution.py); sums over scores add no more.
    opponent = 4 * EPSILON * rules.slots * (len(rules.weights) + rules.slots + 3)
    bound, worst = check_steps(listing, published, fail, np.array([payoff, payoff, equal]), opponent)
    half = float(published.more[0][-1])
    if not abs(half - 0.5) <= bound:
        fail((len(points) - 1, 0), f"score_optimal earns {half!r} against itself, not a half")
    proof = "residuals, summed over the number of free slots, and the opponent's scores played forward"
    counts = count_decisions(rules, published.keys[0])
    return Finding(float(published.values[-1]), bound, bound, worst, proof, *counts)


def simulated(listing: BestResponse, published: Published, seed: int) -> Simulation | None:
    """Simulate cards filled by the published values, against opponents who maximise points, by rank."""
    rules = listing.rules
    expected = expected_rolls(rules.weights, rules.slots - 1)

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        mine, moves = scores_by_values(listing, published, 0, streams)
        theirs, more = scores_by_rank(rules, rules.factors, expected, streams)
        return (mine > theirs) + (mine == theirs) / 2, moves + more

    return simulate(play, seed, listing.value.unit)


def _reached(listing: BestResponse) -> list[np.ndarray]:
    """Return the points that the filled slots can have, by set of free slots, filling slots from the empty card on."""
    gains = np.array(listing.rules.gains)
    full = (1 << len(gains)) - 1
    points = [np.zeros(0, dtype=np.int64)] * full + [np.zeros(1, dtype=np.int64)]
    for free in range(full - 1, -1, -1):
        slot = (full & ~free).bit_length() - 1
        points[free] = np.unique(points[free | 1 << slot][:, None] + gains[slot])
    return points
