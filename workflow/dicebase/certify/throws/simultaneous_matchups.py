"""Check matchups of one-player policies and best responses, in simultaneous throws, by one step of the rules.

The policies are derived from the rules again, in rationals. If one throw of both players maps V - e and V + e to values
between the two, the error of V is at most e.
"""

from functools import partial

import numpy as np

from dicebase.certify.boards.play import first_best_actions
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys, pair_values
from dicebase.certify.throws.arrays import check_bound, gain_probabilities, longest_play
from dicebase.matches.duels.simultaneous_matchups import SimultaneousMatchups

CLOSE = 1e-11


def check(listing: SimultaneousMatchups, published: Published, fail: Fail) -> Finding:
    """Certify P(win) - P(lose) of the row player for every pair, at every pair of totals and at the start."""
    pairs, play = listing.pairs(), Play(listing, fail)
    check_keys(published, pairs, fail)
    shape = play.limit + 1, play.size, play.size
    throws_made, *totals = np.indices(shape).reshape(3, -1)
    values = pair_values(published, pairs, [throws_made, *(listing.unit_of_points * x for x in totals)], fail)
    rounding = EPSILON * (2 * play.q.shape[1] + 4)
    worst = bound = 0.0
    for pair, of in values.items():
        V = of.reshape(shape)
        if (said := published.value_of[pair]) != V[0, 0, 0]:
            fail(pair, f"the value is {said!r}, that of the pair at the start {float(V[0, 0, 0])!r}")
        away = np.abs(V - play.one_throw(V, *pair))
        if not (away <= CLOSE).all():
            made, me, opponent = np.argwhere(~(away <= CLOSE))[0].tolist()
            place = f"after {made} throws at {me} against {opponent} units"
            fail(pair, f"the value {place}, {float(V[made, me, opponent])!r}, is {away.max():.3g} off one throw")

        def wider(e: np.ndarray, V: np.ndarray = V, pair: tuple[str, str] = pair) -> np.ndarray:
            above, below = play.one_throw(V + e, *pair) - V, V - play.one_throw(V - e, *pair)
            return np.maximum(above, below) + rounding

        worst, bound = max(worst, float(away.max())), max(bound, longest_play(wider, np.zeros_like(V)))
        check_bound(bound, fail)
    proof = "one throw of both players leads between lower and upper bounds of the values"
    return Finding(published.value_of["best_response", "race"], bound, bound, worst, proof, actions=0)


class Play:
    """The policies of a variant, derived again; `one_throw` lets two of them throw against each other."""

    def __init__(self, listing: SimultaneousMatchups, fail: Fail) -> None:
        self.q, self.size, self.limit = gain_probabilities(listing), listing.totals, listing.throws
        self.plans = listing.plans(partial(first_best_actions, fail=fail))
        ends = np.arange(self.size + self.q.shape[1])
        self.ends = np.sign(np.subtract.outer(ends, ends)).astype(float)

    def one_throw(self, V: np.ndarray, row: str, column: str) -> np.ndarray:
        """Return the values before one throw of both players, from the values V after it, each by (throws made, row
        player's total, column player's total)."""
        found = np.empty_like(V)
        for made in range(self.limit + 1):
            later = self.ends.copy()
            later[: self.size, : self.size] = V[min(made + 1, self.limit)]
            ahead = later @ self._gains(column, made).T  # by (row's total after the throw, column's before)
            if row in self.plans:
                found[made] = self._gains(row, made) @ ahead
            else:
                windows = np.lib.stride_tricks.sliding_window_view(ahead, self.q.shape[1], axis=0)[: self.size]
                found[made] = (windows @ self.q.astype(float).T).max(axis=2)
        return found

    def _gains(self, name: str, made: int) -> np.ndarray:
        """Return the distribution of the total after a policy's throw, (totals, totals after)."""
        after = np.zeros((self.size, len(self.ends)))
        for total, choice in enumerate(self.plans[name][made]):
            after[total, total : total + self.q.shape[1]] = self.q[choice]
        return after
