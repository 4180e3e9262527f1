"""Matchups of a duel of turns: what each policy does in a turn, from its definition.

`optimal` follows the published values of the best response to it, which no policy can improve on. `minimise_turns`
follows expected turns found here, `maximise_turn` is decided in rationals, and other policies say by a number or a
formula at which total they stop.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify import pairs
from dicebase.certify.finding import EPSILON, Fail, Finding, unplayed
from dicebase.certify.published import Published
from dicebase.certify.turns.enclosures import one_turn
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.most_points import most_points
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import TurnPolicy, ends_of
from dicebase.matches.duel_matchups import MAXIMISE_TURN, MINIMISE_TURNS, OPTIMAL, MatchupsOfTurns
from dicebase.vocabulary import TIE

simulated = unplayed

ROUNDS = 100_000


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
            roll, stop = most_points(self.listing.rules, self.unit, self.size)
            return lambda me: TurnPolicy(roll[None, : self.size - me], stop[None, : self.size - me])
        listing, unit, stops_at = self.listing, self.unit, self.listing.stated(name)
        opponents = range(0, listing.target, unit) if listing.looks_at_both(name) else [0]

        def decide(me: int) -> TurnPolicy:
            total = np.arange(self.size - me, dtype=float)
            stop = np.repeat(total[np.newaxis], len(opponents), axis=0)
            below = total * unit < np.array([[stops_at(me * unit, opponent)] for opponent in opponents])
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
        few = np.array([self.stakes.too_few(me, own) for me in own])
        turns = np.zeros(size)
        for _ in range(ROUNDS):
            # By (total, turn total): from the target on one turn is enough.
            bank = 1.0 + np.append(turns, np.zeros(size))[own[:, np.newaxis] + own]
            bank[few] = np.inf
            more, _, _, _ = play(self.turns, (bank, 1.0 + turns, np.full(size, 1.0 + turns[0])), -1, needs=size - own)
            last, turns = turns, more[:, 0, 0]
            if np.abs(turns - last).max() <= 4 * EPSILON * turns.max():
                break
        return lambda me: TurnPolicy(-more[me : me + 1, : size - me], -bank[me : me + 1, : size - me], TIE)

    def followed(self, V: np.ndarray) -> pairs.Ends:
        """How turns end that follow V, and bank if rolling on is not better by more than TIE; of several ways to use a
        roll they take the best by V."""
        decide = self.greedy(V)

        def with_ties(me: int) -> TurnPolicy:
            policy = decide(me)
            rolls = (policy.roll - policy.stop[..., np.newaxis] > TIE) | self.turns.must_roll
            return policy._replace(roll=np.where(rolls, policy.roll, -np.inf))

        return ends_of(self.turns, self.size, with_ties)
