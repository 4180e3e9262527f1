"""Matchups of a duel of single throws: every policy is found again from the rules, and every pair played again.

`optimal` follows chances found here by policy iteration, and bounded by a best response to it that gains nothing;
the policies of one player are found in rationals. Of throws within 1e-12 of the best the one with fewest dice is taken;
where doubles cannot tell whether one is, the throw may be either, and the bound says what that can cost.
"""

import numpy as np

from dicebase.certify.duel_matchups import Replay
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.fixed_pair import Ends
from dicebase.certify.published import Published
from dicebase.certify.throws.alone import fewest_throws, gains_of, most_points
from dicebase.certify.throws.arrays import gain_probabilities, one_throw
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfThrows
from dicebase.vocabulary import TIE

simulated = unplayed


def check(listing: MatchupsOfThrows, published: Published, fail: Fail) -> Finding:
    """Compute every chance again."""
    return ThrowsReplay(listing, fail).check(published)


class ThrowsReplay(Replay):
    """Whose turns are single throws."""

    listing: MatchupsOfThrows

    def __init__(self, listing: MatchupsOfThrows, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.q = gain_probabilities(listing.duel)
        self.rounding = EPSILON * (self.q.shape[1] + 6)

    def ends(self, name: str) -> Ends:
        if name == OPTIMAL:
            return self._optimal()
        gains = gains_of(self.listing.duel)
        if name == MAXIMISE_TURN:
            chosen = [most_points(gains)] * self.size
        elif name == MINIMISE_TURNS:
            chosen = fewest_throws(gains, self.size)
        else:
            chosen = [self.listing.rules.choices.index(self.listing.dice(name))] * self.size
        return self._ends(np.array(chosen)[:, np.newaxis])

    def _ends(self, chosen: np.ndarray, doubt: np.ndarray | None = None) -> Ends:
        """Of the throws chosen by (mover, opponent or 0)."""
        size = self.size
        ends = np.zeros((*chosen.shape, size + 1))
        for a in range(size):
            for gain in range(1, self.q.shape[1]):
                ends[a, :, min(a + gain, size)] += self.q[chosen[a], gain].astype(float)
        nothing = self.q[chosen, 0].astype(float)
        none = np.zeros_like(nothing)
        rounding = np.full_like(nothing, self.rounding)
        doubt = rounding if doubt is None else doubt + rounding
        return Ends(ends, *((none, nothing) if self.wipes else (nothing, none)), doubt)

    def _q_values(self, V: np.ndarray) -> np.ndarray:
        """Of every throw by (mover, opponent, throw), from the opponent's chances by (his total, the mover's)."""
        return one_throw(self.q, V, self.wipes).astype(float)

    def best(self, V: np.ndarray) -> Ends:
        return self._ends(self._q_values(V).argmax(axis=2))

    def worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        best = self._q_values(V).max(axis=2)
        return best, np.full_like(best, 2 * EPSILON)

    def _optimal(self) -> Ends:
        """The best throw by the chances where both throw so."""
        V, wrong = self.equilibrium()
        wrong = 2 * (float(wrong.max()) + 2 * EPSILON)
        worth = self._q_values(V)
        loss = worth.max(axis=2, keepdims=True) - worth
        chosen = (loss <= TIE).argmax(axis=2)
        # Only a doubt about one that would come first matters, or about the one chosen.
        number = np.arange(len(self.q))
        unsure = ((np.abs(loss - TIE) <= wrong) & (number <= chosen[..., np.newaxis])).any(axis=2)
        return self._ends(chosen, unsure.astype(float))
