"""Matchups of a duel of single throws: what each policy throws, from its definition.

`optimal` follows the published values of the best response to it, which no policy can improve on: of throws within
1e-12 of the best it takes the one with fewest dice. The policies of one player are found in rationals.
"""

import numpy as np

from dicebase.certify import pairs
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published
from dicebase.certify.throws.alone import fewest_throws, gains_of, most_points
from dicebase.certify.throws.arrays import gain_probabilities, one_throw
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfThrows
from dicebase.vocabulary import TIE

simulated = unplayed


def check(listing: MatchupsOfThrows, published: Published, fail: Fail) -> Finding:
    """Certify the values of every pair of policies."""
    return pairs.check(ThrowPolicies(listing, fail), published)


class ThrowPolicies(pairs.Policies):
    """The policies of a duel whose turns are single throws."""

    listing: MatchupsOfThrows

    def __init__(self, listing: MatchupsOfThrows, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.q = gain_probabilities(listing.duel)

    def ends(self, name: str, V: np.ndarray | None) -> pairs.Ends:
        if name == OPTIMAL:
            worth = one_throw(self.q, V, self.wipes).astype(float)
            return self._ends((worth >= worth.max(axis=2, keepdims=True) - TIE).argmax(axis=2))
        gains = gains_of(self.listing.duel)
        if name == MAXIMISE_TURN:
            return self._ends(np.full((self.size, 1), most_points(gains)))
        if name == MINIMISE_TURNS:
            return self._ends(np.array(fewest_throws(gains, self.size))[:, np.newaxis])
        points, stated, index = (
            self.unit * np.arange(self.size),
            self.listing.stated(name),
            self.listing.rules.choices.index,
        )
        opponents = points if self.listing.looks_at_both(name) else points[:1]
        return self._ends(
            np.array([[index(stated(me, opponent)) for opponent in opponents.tolist()] for me in points.tolist()])
        )

    def best(self, V: np.ndarray) -> pairs.Ends:
        return self._ends(one_throw(self.q, V, self.wipes).argmax(axis=2))

    def best_worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        best = one_throw(self.q, V, self.wipes).max(axis=2).astype(float)
        return best, np.full_like(best, 2 * EPSILON)

    def _ends(self, chosen: np.ndarray) -> pairs.Ends:
        """Of the throws chosen by (mover, opponent or 0)."""
        size, reach = self.size, self.q.shape[1]
        ends = np.zeros((*chosen.shape, size + 1))
        for a in range(size):
            for gain in range(1, reach):
                ends[a, :, min(a + gain, size)] += self.q[chosen[a], gain].astype(float)
        nothing = self.q[chosen, 0].astype(float)
        none = np.zeros_like(nothing)
        lost = (none, nothing) if self.wipes else (nothing, none)
        return pairs.Ends(ends, *lost, none, np.full_like(nothing, EPSILON * (reach + 6)))
