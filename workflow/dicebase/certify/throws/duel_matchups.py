"""Check matchups in a duel of single throws, with policies derived again from their definitions.

`optimal` is greedy for the published values of the best response to it; among throws within 1e-12 of the best it takes
the fewest dice. One-player policies are solved in rationals.
"""

from functools import partial

import numpy as np

from dicebase.certify import pairs
from dicebase.certify.boards.play import first_best_actions
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.throws.arrays import gain_probabilities, one_throw, throw_ends
from dicebase.matches.duels.duel_matchups import OPTIMAL, MatchupsOfThrows
from dicebase.vocabulary import TIE


def check(listing: MatchupsOfThrows, published: Published, fail: Fail) -> Finding:
    """Certify the values of every pair of policies."""
    return pairs.check(ThrowPolicies(listing, fail), published)


class ThrowPolicies(pairs.Policies):
    """The policies of a duel of single throws."""

    listing: MatchupsOfThrows

    def __init__(self, listing: MatchupsOfThrows, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.q = gain_probabilities(listing.duel)

    def ends(self, name: str, V: np.ndarray | None) -> pairs.Ends:
        if name == OPTIMAL:
            values = one_throw(self.q, V, self.wipes).astype(float)
            return self._ends((values >= values.max(axis=2, keepdims=True) - TIE).argmax(axis=2))
        best = partial(first_best_actions, fail=self.fail)
        return self._ends(np.array(self.listing.throws_of(name, best)))

    def best(self, V: np.ndarray) -> pairs.Ends:
        return self._ends(one_throw(self.q, V, self.wipes).argmax(axis=2))

    def best_worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        best = one_throw(self.q, V, self.wipes).max(axis=2).astype(float)
        return best, np.full_like(best, 2 * EPSILON)

    def _ends(self, chosen: np.ndarray) -> pairs.Ends:
        return throw_ends(self.q, chosen, self.wipes)
