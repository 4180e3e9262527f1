"""One-person policies against each other, and best replies, bounded from both sides.

The policies are found again in the rules, by policy iteration on the number of throws and by the probabilities of a
target in rationals. Values are bounded round by round without the division of the solver: what is still in play is
worth 1 at most and -1 at least.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys
from dicebase.certify.throws.alone import fewest_throws, gains_of, most_likely, most_points
from dicebase.certify.throws.arrays import gain_probabilities
from dicebase.matches.simultaneous_matchups import SimultaneousMatchups

simulated = unplayed

ROUNDS = 100_000


def check(listing: SimultaneousMatchups, published: Published, fail: Fail) -> Finding:
    """Compute every value again by another method."""
    pairs = listing.pairs()
    check_keys(published, pairs, fail)
    self = Replay(listing)
    worst = 0.0
    for pair in pairs:
        again, error = self.earns(*pair)
        difference = abs(published.value_of[pair] - again)
        if not difference <= 1e-12:
            fail(pair, f"the value is {published.value_of[pair]!r}, played again it is {again!r}")
        worst = max(worst, difference + error)
    proof = "enclosed by what is left in play, from the policies found again"
    return Finding(published.value_of["best_response", "race"], worst, worst, worst, proof)


class Replay:
    """The policies of a variant, found again, and what they earn."""

    def __init__(self, listing: SimultaneousMatchups) -> None:
        self.q, self.size, self.limit = gain_probabilities(listing), listing.totals, listing.throws
        gains = gains_of(listing)
        race = fewest_throws(gains, self.size)
        self.plans = {
            "race": [race] * (self.limit + 1),
            "reach": [*most_likely(gains, self.size, self.limit), race],
            "turn": [[most_points(gains)] * self.size] * (self.limit + 1),
        }
        ends = np.arange(self.size + self.q.shape[1])
        self.ends = np.sign(np.subtract.outer(ends, ends)).astype(float)

    def _throw(self, name: str, made: int) -> np.ndarray:
        """The gains of a policy by own total, after so many throws: (totals, totals after)."""
        after = np.zeros((self.size, len(self.ends)))
        for total, choice in enumerate(self.plans[name][made]):
            after[total, total : total + self.q.shape[1]] = self.q[choice]
        return after

    def earns(self, row: str, column: str) -> tuple[float, float]:
        """(value, how wrong it can be): both bounds are moved outwards by the rounding of each round, in doubles."""
        rounding = EPSILON * (2 * self.q.shape[1] + 4)
        bounds = []
        for sign in (1.0, -1.0):
            V, inside = self.ends.copy(), (slice(self.size),) * 2
            V[inside] = sign
            for _ in range(ROUNDS):
                before = V[inside].copy()
                V[inside] = self._before(V, row, column, self.limit) + sign * rounding
                if np.abs(V[inside] - before).max() <= 1e-15:
                    break
            for made in range(self.limit - 1, -1, -1):
                V[inside] = self._before(V, row, column, made) + sign * rounding
            bounds.append(float(V[0, 0]))
        high, low = bounds
        return (high + low) / 2, high - low

    def _before(self, V: np.ndarray, row: str, column: str, made: int) -> np.ndarray:
        """What follows from V one round later, in every state."""
        ahead = V @ self._throw(column, made).T  # by (my next total, their total)
        if row in self.plans:
            return self._throw(row, made) @ ahead
        windows = np.lib.stride_tricks.sliding_window_view(ahead, self.q.shape[1], axis=0)[: self.size]
        return (windows @ self.q.astype(float).T).max(axis=2)
