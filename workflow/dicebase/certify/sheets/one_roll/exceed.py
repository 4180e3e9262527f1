"""Check the probability of reaching a score: recompute each from the published ones with one slot fewer (steps.py)."""

import numpy as np

from dicebase.certify.finding import Fail, Finding
from dicebase.certify.play.simulation import Simulation, simulate
from dicebase.certify.published import Published, check_key_columns
from dicebase.certify.sheets.one_roll.steps import check_steps, count_decisions, scores_by_values
from dicebase.matches.sheets.exceed import ChanceToExceed


def check(listing: ChanceToExceed, published: Published, fail: Fail) -> Finding:
    """Recompute every number from the published ones of the sets with one slot fewer."""
    most = listing.most
    needed = np.concatenate([np.arange(1, points + 1) for points in most])
    check_key_columns(published, [np.repeat(np.arange(len(most)), most), needed], fail)
    bound, worst = check_steps(listing, published, fail)
    value = float(published.values[listing.middle - 1 - most[-1]])
    proof = "residuals, summed over the number of free slots"
    return Finding(value, bound, bound, worst, proof, *count_decisions(listing.rules, published.keys[0]))


def simulated(listing: ChanceToExceed, published: Published, seed: int) -> Simulation | None:
    """Simulate cards filled by the published values if half of the most points are needed."""

    def play(streams: np.ndarray) -> tuple[np.ndarray, int]:
        scores, moves = scores_by_values(listing, published, listing.middle, streams)
        return (scores >= listing.middle).astype(float), moves

    return simulate(play, seed, listing.value.unit)
