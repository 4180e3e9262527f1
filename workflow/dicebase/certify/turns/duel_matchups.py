"""Matchups of a duel of turns: what each policy does in a turn, from its definition.

`optimal` follows the published values of the best response to it, which no policy can improve on. `minimise_turns` and
`maximise_turn` follow expected turns, and points, found here; other policies say by a number or a formula at which
total they stop. A decision within rounding of TIE may differ from the published one; then so do the values, and the
certificate is refused.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from dicebase.certify import pairs
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published
from dicebase.certify.turns.enclosures import one_turn
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfTurns
from dicebase.vocabulary import TIE

simulated = unplayed

ROUNDS = 100_000
MANY_TURNS = 20


def check(listing: MatchupsOfTurns, published: Published, fail: Fail) -> Finding:
    """Certify the values of every pair of policies."""
    return pairs.check(TurnPolicies(listing, fail), published)


class TurnPolicies(pairs.Policies):
    """The policies of a duel whose turns are rolls."""

    listing: MatchupsOfTurns

    def __init__(self, listing: MatchupsOfTurns, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.turns = Turns(listing.rules, self.unit)
        self.stakes = Stakes(listing.duel)

    def ends(self, name: str, V: np.ndarray | None) -> pairs.Ends:
        return ends_of(self.turns, self.size, self._decisions(name, V))

    def best(self, V: np.ndarray) -> pairs.Ends:
        return ends_of(self.turns, self.size, self.greedy(V))

    def best_worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return one_turn(self.turns, self.stakes, V)

    def _decisions(self, name: str, V: np.ndarray | None) -> Callable[[int], TurnPolicy]:
        if name == OPTIMAL:
            return self.greedy(V, TIE)
        if name == MINIMISE_TURNS:
            return self._fewest_turns()
        if name == MAXIMISE_TURN:
            return self._most_points()
        stops_at = np.array(self.listing.numbers_of(name))

        def decide(me: int) -> TurnPolicy:
            total = np.arange(self.size - me, dtype=float)
            stop = np.repeat(total[np.newaxis], stops_at.shape[1], axis=0)
            below = total * self.unit < stops_at[me][:, np.newaxis]
            # On, and yet not before what gains more.
            roll = np.where(below, stop + 0.5, -np.inf)[..., np.newaxis]
            few = self.stakes.too_few(np.array(me), np.arange(self.size - me))
            # A policy that may not stop prefers what gains most all the same.
            roll = np.where(self.turns.must_roll | few[:, np.newaxis], np.maximum(roll, stop[..., np.newaxis]), roll)
            stop[:, few] = -np.inf
            return TurnPolicy(roll, stop)

        return decide

    def greedy(self, V: np.ndarray, tie: float = 0.0) -> Callable[[int], TurnPolicy]:
        """What is best if the opponent's turns have the values V."""

        def decide(me: int) -> TurnPolicy:
            worth = self.stakes.after(V, me)
            return TurnPolicy(play(self.turns, worth, 1)[0], worth[0], tie)

        return decide

    def _fewest_turns(self) -> Callable[[int], TurnPolicy]:
        """The policy of the fewest expected turns: turns are added until no turn makes them more."""
        size, own = self.size, np.arange(self.size)
        after = own[:, np.newaxis] + own  # by (total, turn total)
        few = np.array([self.stakes.too_few(me, own) for me in own]) & (after < size)
        turns = np.zeros(size)
        for _ in range(ROUNDS):
            # From the target on one turn is enough.
            bank = np.where(few, np.inf, 1.0 + np.append(turns, np.zeros(size))[after])
            more, _, _, _ = play(self.turns, (bank, 1.0 + turns, np.full(size, 1.0 + turns[0])), -1, needs=size - own)
            last, turns = turns, more[:, 0, 0]
            if np.abs(turns - last).max() <= 4 * EPSILON * turns.max():
                break
        return lambda me: TurnPolicy(-more[me : me + 1, : size - me], -bank[me : me + 1, : size - me], TIE)

    def _most_points(self) -> Callable[[int], TurnPolicy]:
        """The policy of the most expected points of a turn, as shares of a total that no turn comes near: from `far` on
        a roll that can be lost gains less on average than it risks."""
        t, size, starts = self.turns, self.size, self.turns.first_roll[:-1]
        gains = np.array([t.gain[i:j].max(initial=0) for i, j in pairwise(t.first_option)])
        mean, risk = (np.add.reduceat(t.weight * of, starts) for of in (gains, t.kind != OPTIONS))
        far = (mean[risk > 0] / risk[risk > 0]).max(initial=0)
        last = MANY_TURNS * int(max(size, far) + t.gain.max())
        bank = np.arange(last) / last
        bank[self.stakes.too_few(np.array(1), np.arange(last))] = -np.inf
        roll, *_ = play(t, (bank[None], np.zeros(1), np.zeros(1)), 1, totals=size)
        return lambda me: TurnPolicy(roll[:, : size - me], bank[None, : size - me], TIE)

    def followed(self, V: np.ndarray) -> pairs.Ends:
        """How turns end that follow V, and bank if rolling on is not better by more than TIE; of several ways to use a
        roll they take the best by V."""
        decide = self.greedy(V)

        def with_ties(me: int) -> TurnPolicy:
            policy = decide(me)
            rolls = (policy.roll - policy.stop[..., np.newaxis] > TIE) | self.turns.must_roll
            return policy._replace(roll=np.where(rolls, policy.roll, -np.inf))

        return ends_of(self.turns, self.size, with_ties)
