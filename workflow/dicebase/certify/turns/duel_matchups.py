"""Certify matchups of a duel of turns: derive each policy's decisions within a turn from its definition.

`optimal` is greedy for the published values of the best response to it; no policy can improve on these values.
`minimise_turns` and `maximise_turn` follow expected turns and points, recomputed here; other policies state the total
at which they stop, by a number or a formula. If rounding near TIE makes a decision differ from the published one, the
values differ as well, and the certificate is refused.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from dicebase.certify import pairs
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published
from dicebase.certify.turns.enclosures import one_turn
from dicebase.certify.turns.kernel import OPTIONS, Turns, play
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of, holds
from dicebase.matches.duels.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfTurns
from dicebase.vocabulary import TIE

ROUNDS = 100_000
MANY_TURNS = 20


def check(listing: MatchupsOfTurns, published: Published, fail: Fail) -> Finding:
    """Certify the values of every pair of policies."""
    return pairs.check(TurnPolicies(listing, fail), published)


class TurnPolicies(pairs.Policies):
    """The policies of a duel whose turns consist of rolls."""

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
        few = self.stakes.too_few
        return holds(
            self.turns, self.size, self.listing.policy(name), lambda me: few(np.array(me), np.arange(self.size - me))
        )

    def greedy(self, V: np.ndarray, tie: float = 0.0) -> Callable[[int], TurnPolicy]:
        """Return the greedy policy if the opponent's turns have the values V."""

        def decide(me: int) -> TurnPolicy:
            worth = self.stakes.after(V, self.stakes.blocks[me])
            return TurnPolicy.greedy(self.turns, play(self.turns, worth, 1)[0], worth[0], tie)

        return decide

    def _fewest_turns(self) -> Callable[[int], TurnPolicy]:
        """Return the policy of the fewest expected turns, by value iteration from 0 until only rounding is left."""
        size, own = self.size, np.arange(self.size)
        after = own[:, np.newaxis] + own  # by (total, turn total)
        few = np.array([self.stakes.too_few(me, own) for me in own]) & (after < size)
        turns = np.zeros(size)
        for _ in range(ROUNDS):
            # A turn that banks the target or more is the last one.
            bank = np.where(few, np.inf, 1.0 + np.append(turns, np.zeros(size))[after])
            more, _, _, _ = play(self.turns, (bank, 1.0 + turns, np.full(size, 1.0 + turns[0])), -1, needs=size - own)
            last, turns = turns, more[:, 0, 0]
            if np.abs(turns - last).max() <= 4 * EPSILON * turns.max():
                break
        return lambda me: TurnPolicy.greedy(
            self.turns, -more[me : me + 1, : size - me], -bank[me : me + 1, : size - me], TIE
        )

    def _most_points(self) -> Callable[[int], TurnPolicy]:
        """Return the policy of the most expected points per turn. Points are divided by `last`, a total far
        beyond all turns: from `far` on, a roll that can be lost gains less on average than it risks."""
        t, size = self.turns.rolls, self.size
        gains = np.array([t.gain[i:j].max(initial=0) for i, j in pairwise(t.first_option)])
        mean, risk = (np.add.reduceat(t.weight * of, t.first[:-1]) for of in (gains, t.kind != OPTIONS))
        far = (mean[risk > 0] / risk[risk > 0]).max(initial=0)
        last = MANY_TURNS * int(max(size, far) + t.gain.max())
        bank = np.arange(last) / last
        bank[self.stakes.too_few(np.array(1), np.arange(last))] = -np.inf
        roll, *_ = play(self.turns, (bank[None], np.zeros(1), np.zeros(1)), 1, totals=size)
        return lambda me: TurnPolicy.greedy(self.turns, roll[:, : size - me], bank[None, : size - me], TIE)

    def followed(self, V: np.ndarray) -> pairs.Ends:
        """Return how greedy turns for V end: they bank unless rolling on is better by more than TIE, and use each roll
        in the way that is best by V."""
        decide = self.greedy(V)

        def with_ties(me: int) -> TurnPolicy:
            policy = decide(me)
            rolls = (policy.roll - policy.stop[..., np.newaxis] > TIE) | self.turns.rolls.must_roll
            return TurnPolicy.greedy(self.turns, np.where(rolls, policy.roll, -np.inf), policy.stop, policy.tie)

        return ends_of(self.turns, self.size, with_ties)
