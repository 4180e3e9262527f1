"""One-person policies against each other: played forward, or, for best replies, bounded from both sides.

The policies are found again in the rules, by policy iteration on the number of throws and by the probabilities of a
target in rationals. A pair of fixed policies is played forward from the start: the joint distribution of both totals,
round by round, until less than 1e-16 is left in play. A best reply is bounded from both sides, round by round without
the division: what is still in play is worth 1 at most and -1 at least.
"""

import numpy as np

from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published, check_keys
from dicebase.certify.throws.alone import fewest_throws, gains_of, most_likely, most_points
from dicebase.certify.throws.arrays import gain_probabilities
from dicebase.matches.simultaneous_matchups import SimultaneousMatchups

LEFT = 1e-16
ROUNDS = 100_000

simulated = unplayed


def check(listing: SimultaneousMatchups, published: Published, fail: Fail) -> Finding:
    """Compute every value again by another method."""
    pairs = listing.pairs()
    check_keys(published, pairs, fail)
    self = Replay(listing)
    worst = 0.0
    for pair in pairs:
        again, error = self.respond(pair[1]) if pair[0] == "best_response" else self.forward(*pair)
        difference = abs(published.value_of[pair] - again)
        if not difference <= 1e-12:
            fail(pair, f"the value is {published.value_of[pair]!r}, played again it is {again!r}")
        worst = max(worst, difference + error)
    proof = "policies played forward; best replies enclosed by what is left in play"
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
        self.ends = np.sign(np.subtract.outer(ends, ends)).astype(np.longdouble)
        # A sum of positive terms for each round that matters.
        self.rounding = float(np.finfo(np.longdouble).eps) * 2 * self.q.shape[1]

    def _throw(self, name: str, made: int) -> np.ndarray:
        """The gains of a policy by own total, after so many throws: (totals, totals after)."""
        plan = self.plans[name][min(made, self.limit)]
        after = np.zeros((self.size, self.size + self.q.shape[1]), np.longdouble)
        for total, choice in enumerate(plan):
            after[total, total : total + self.q.shape[1]] = self.q[choice]
        return after

    def forward(self, row: str, column: str) -> tuple[float, float]:
        """(value, how wrong it can be) of two policies, from the distribution of both totals."""
        inside = np.zeros((self.size, self.size), np.longdouble)
        inside[0, 0] = 1
        value, made = np.longdouble(0), 0
        while inside.sum() > LEFT and made < ROUNDS:
            ahead = self._throw(row, made).T @ inside @ self._throw(column, made)
            inside = ahead[: self.size, : self.size].copy()
            ahead[: self.size, : self.size] = 0
            value += (ahead * self.ends).sum()
            made += 1
        return float(value), float(inside.sum()) + made * self.rounding

    def respond(self, column: str) -> tuple[float, float]:
        """(value, how wrong it can be) of the best reply: what is left in play is worth 1 at most, and -1 at least.

        Both bounds are moved outwards by the rounding of each round, in doubles.
        """
        q = self.q.astype(float)
        rounding = EPSILON * (2 * self.q.shape[1] + 4)
        bounds = []
        for sign in (1.0, -1.0):
            V = self.ends.astype(float)
            V[: self.size, : self.size] = sign
            theirs = self._throw(column, self.limit).astype(float)
            for _ in range(ROUNDS):
                before = V.copy()
                V[: self.size, : self.size] = _best(q, V, theirs) + sign * rounding
                if np.abs(V - before).max() <= 1e-15:
                    break
            for made in range(self.limit - 1, -1, -1):
                V[: self.size, : self.size] = _best(q, V, self._throw(column, made).astype(float)) + sign * rounding
            bounds.append(float(V[0, 0]))
        high, low = bounds
        return (high + low) / 2, high - low


def _best(q: np.ndarray, V: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """The best of all throws in every state, by what follows."""
    ahead = V @ theirs.T  # by (my next total, their total)
    windows = np.lib.stride_tricks.sliding_window_view(ahead, q.shape[1], axis=0)[: len(theirs)]
    return (windows @ q.T).max(axis=2)
