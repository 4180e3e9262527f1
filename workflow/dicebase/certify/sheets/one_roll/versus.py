"""Best responses to the score-optimal strategy: does each published number follow from those of one slot less?

With no slot free the error is that of the opponent's scores, which distribution.py finds by rank and plays forward. The
score-optimal strategy itself must earn a half.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_key_columns, refuse
from dicebase.certify.sheets.one_roll.distribution import optimal_scores, optimal_slot
from dicebase.certify.sheets.one_roll.rank import expected_rolls
from dicebase.certify.sheets.one_roll.referee import scores_by_rank, scores_by_values
from dicebase.certify.sheets.one_roll.sets import count_decisions, gains_of
from dicebase.certify.simulation import Simulation, simulate
from dicebase.matches.versus import BestResponse


def check(listing: BestResponse, published: Published, fail: Fail) -> Finding:
    """Recompute every number from the published ones of the sets with one slot less."""
    rules = listing.rules
    points = _reached(listing)
    check_key_columns(
        published, [np.repeat(np.arange(len(points)), [len(p) for p in points]), np.concatenate(points)], fail
    )
    ends = np.cumsum([len(p) for p in points])[:-1]
    # By column, then by set of free slots: value, score_optimal, tie.
    columns = [np.split(column, ends) for column in (published.values, *published.more)]
    names = ("value", *(c.name for c in listing.more))
    # A score is wrong by a few roundings a round (distribution.py), and sums over scores by no more.
    opponent = 4 * EPSILON * rules.slots * (len(rules.weights) + rules.slots + 3)
    step = EPSILON * (2 * len(rules.weights) + 2)
    residuals = np.zeros((rules.slots + 1, 3))
    expected = expected_rolls(rules.weights, rules.slots)
    for free in range(len(points)):
        again = _one_step(listing, columns, points, free, expected) if free else _final(listing, points[0])
        tolerance = 4 * (step if free else opponent)
        for name, column, numbers, c in zip(names, columns, again, range(3), strict=True):
            difference, keys = np.abs(numbers - column[free]), [np.full(len(numbers), free), points[free]]
            what = f"{name} is {{!r}}, the rules give {{!r}}"
            refuse(keys, fail, ~(difference <= tolerance), what, column[free], numbers)
            slots = free.bit_count()
            residuals[slots, c] = max(residuals[slots, c], difference.max())
    bound = float(residuals.sum(axis=0).max()) + opponent + rules.slots * step
    if not abs(columns[1][-1][0] - 0.5) <= bound:
        fail((len(points) - 1, 0), f"score_optimal earns {float(columns[1][-1][0])!r} against itself, not a half")
    proof = "residuals, summed over the number of free slots, and the opponent's scores played forward"
    counts = count_decisions(rules, published.keys[0])
    return Finding(float(columns[0][-1][0]), bound, bound, float(residuals.max()), proof, *counts)


def simulated(listing: BestResponse, published: Published, seed: int) -> Simulation | None:
    """Cards filled by the published values, against others that are filled for the most points, by rank."""
    rules = listing.rules
    expected = expected_rolls(rules.weights, rules.slots - 1)

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        mine, moves = scores_by_values(listing, published, 0, streams)
        theirs, more = scores_by_rank(rules, rules.factors, expected, streams)
        return (mine > theirs) + (mine == theirs) / 2, moves + more

    return simulate(play, seed, listing.value.unit)


def _reached(listing: BestResponse) -> list[np.ndarray]:
    """The points that the filled slots can have, by set of free slots: added slot by slot from the full card."""
    gains = gains_of(listing.rules)
    full = (1 << len(gains)) - 1
    points = [np.zeros(0, dtype=np.int64)] * full + [np.zeros(1, dtype=np.int64)]
    for free in range(full - 1, -1, -1):
        slot = (full & ~free).bit_length() - 1
        points[free] = np.unique(points[free | 1 << slot][:, None] + gains[slot])
    return points


def _final(listing: BestResponse, scores: np.ndarray) -> list[np.ndarray]:
    """What final scores earn against the opponent's, and how often they tie."""
    theirs = optimal_scores(listing.rules)
    equal = np.array([theirs.get(int(score), 0.0) for score in scores])
    payoff = np.cumsum(equal) - equal / 2
    return [payoff, payoff, equal]


def _one_step(
    listing: BestResponse, columns: list, points: list[np.ndarray], free: int, expected: list
) -> list[np.ndarray]:
    """value, score_optimal and tie of a set of free slots, from the published ones of the sets with one slot less."""
    rules = listing.rules
    total = sum(rules.weights.values())
    slots = [slot for slot in range(1, rules.slots + 1) if free >> slot - 1 & 1]
    again = [np.zeros(len(points[free])) for _ in range(3)]
    for roll, weight in rules.weights.items():
        after = {slot: free & ~(1 << slot - 1) for slot in slots}
        places = {slot: np.searchsorted(points[after[slot]], points[free] + rules.gain(slot, roll)) for slot in slots}
        values = np.array([columns[0][after[slot]][places[slot]] for slot in slots])
        ties = np.array([columns[2][after[slot]][places[slot]] for slot in slots])
        best = values.argmax(axis=0)  # the first, that is the lowest slot, of equal ones
        fixed = optimal_slot(rules, expected, slots, roll)
        everywhere = np.arange(len(best))
        found = (values[best, everywhere], columns[1][after[fixed]][places[fixed]], ties[best, everywhere])
        for sums, numbers in zip(again, found, strict=True):
            sums += weight / total * numbers
    return again
