"""Matchups of a duel of turns: every policy is found again from the rules, and every pair of them played again.

The policies are those that the match format states. `optimal` follows chances found here by policy iteration and
enclosed by sub- and super-solutions; `minimise_turns` follows expected turns found here and bounded by their residuals;
`maximise_turn` is decided in rationals. Where two of their decisions differ by so nearly 1e-12 that doubles cannot
tell on which side of it, the turn may go either way, and the bound says what that can cost.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.duel_matchups import Replay
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.fixed_pair import Ends
from dicebase.certify.published import Published
from dicebase.certify.turns.enclosures import one_turn
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.most_points import most_points
from dicebase.certify.turns.race_policy import fewest_turns
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfTurns
from dicebase.vocabulary import TIE

simulated = unplayed


def check(listing: MatchupsOfTurns, published: Published, fail: Fail) -> Finding:
    """Compute every chance again."""
    return TurnsReplay(listing, fail).check(published)


class TurnsReplay(Replay):
    """Whose turns are rolls."""

    listing: MatchupsOfTurns

    def __init__(self, listing: MatchupsOfTurns, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.turns = Turns(listing.rules, self.unit)
        self.stakes = Stakes(listing.duel)

    def ends(self, name: str) -> Ends:
        return ends_of(self.turns, self.size, self._decisions(name))

    def _decisions(self, name: str) -> Callable[[int], TurnPolicy]:
        if name == OPTIMAL:
            V, wrong = self.equilibrium()
            return self.greedy(V, TIE, wrong + EPSILON)
        if name == MINIMISE_TURNS:
            return fewest_turns(self.turns, self.stakes, TIE, self.fail)
        if name == MAXIMISE_TURN:
            roll, stop = most_points(self.listing.rules, self.unit, self.size)
            return lambda me: TurnPolicy(roll[None, : self.size - me], stop[None, : self.size - me], 0.0, np.zeros(1))
        listing, unit, modes = self.listing, self.unit, len(self.turns.modes)
        opponents = range(0, listing.target, unit) if listing.looks_at_both(name) else [0]

        def decide(me: int) -> TurnPolicy:
            total = np.arange(self.size - me, dtype=float)
            stop = np.repeat(total[np.newaxis], len(opponents), axis=0)
            roll = np.full((*stop.shape, modes), -np.inf)
            for i, opponent in enumerate(opponents):
                below = total * unit < listing.holds_at(name, me * unit, opponent)
                roll[i, below] = stop[i, below, np.newaxis] + 0.5  # on, and yet not before what gains more
            few = self.stakes.too_few(np.array(me), np.arange(self.size - me))
            # Where one may not stop, what gains most is preferred all the same.
            roll = np.where(self.turns.must_roll | few[:, np.newaxis], np.maximum(roll, stop[..., np.newaxis]), roll)
            stop[:, few] = -np.inf
            return TurnPolicy(roll, stop, 0.0, np.zeros(len(roll)))

        return decide

    def greedy(self, V: np.ndarray, tie: float = 0.0, wrong: np.ndarray | None = None) -> Callable[[int], TurnPolicy]:
        """What is best by the opponent's chances V, each wrong by so much."""

        def decide(me: int) -> TurnPolicy:
            worth = self.stakes.after(V, me)
            roll, error, _, _ = play(self.turns, worth, 1)
            if wrong is None:
                return TurnPolicy(roll, worth[0], tie, np.zeros(len(roll)))
            # A turn leads to totals from here on, or to none.
            most = np.maximum(wrong[:, me:].max(axis=1), wrong[:, 0] if self.wipes else 0.0)
            return TurnPolicy(roll, worth[0], tie, 2 * (most + error.max(axis=(1, 2)) + EPSILON))

        return decide

    def worth(self, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return one_turn(self.turns, self.stakes, V)

    def best(self, V: np.ndarray) -> Ends:
        return ends_of(self.turns, self.size, self.greedy(V))

    def followed(self, V: np.ndarray) -> Ends:
        """How turns end that follow V, and bank where rolling on is not better by more than TIE; of several ways to use
        a roll they take the best by what that earns."""
        decide = self.greedy(V)

        def with_ties(me: int) -> TurnPolicy:
            policy = decide(me)
            rolls = (policy.roll - policy.stop[..., np.newaxis] > TIE) | self.turns.must_roll
            return policy._replace(roll=np.where(rolls, policy.roll, -np.inf))

        return ends_of(self.turns, self.size, with_ties)
