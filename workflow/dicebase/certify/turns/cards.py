"""Certify cards of games of turns: recompute each card's cost from the rules, by how its turns end.

In a duel, policy iteration finds the values of optimal play and of best responses; they are proved as in
duel_matchups.py. The fewest turns of a race and the most points of a turn are recomputed and bounded by their residuals
and rounding.
"""

from collections.abc import Callable

import numpy as np

from dicebase.certify.card_claims import Claims, Number
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.pairs import Ends, along_play, enclosed, errors
from dicebase.certify.published import Published
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.certify.turns.duel_scores import best_play
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import ends_of, holds
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.race_cards import RaceCards
from dicebase.matches.turns.turn_cards import TurnCards

STEPS, SMALL = 100, 1e-14  # most steps of policy iteration, and the improvement at which it stops


def check(listing: Cards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of every card, and the cost against the best response in a duel."""
    kinds = {DuelCards: Duel, RaceCards: Race, TurnCards: OneTurn}
    return kinds[type(listing)].check(listing, published, fail)


class Costs(Claims):
    """The losses of the cards of a format."""

    listing: Cards
    proof = "residuals of one turn of both policies, summed along play; the search for better cards is not repeated"
    rounding = 4 * EPSILON

    def __init__(self, listing: Cards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.turns, self.size = Turns(listing.rules, listing.unit), listing.count

    def ends(self, policy: str, few: Callable[[int], np.ndarray], totals: int | None = None) -> Ends:
        """Return how the turns of a card end; few : whether a turn total is too small to bank, by the mover's total."""
        played = self.listing.policy(policy.removeprefix(self.listing.word), self.size)
        return ends_of(self.turns, self.size, holds(self.turns, self.size, played, few), totals)


class OneTurn(Costs):
    """Cards for the expected points of a turn. From `count` on, a roll loses on average what it gains or more."""

    def __init__(self, listing: TurnCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.size += int(self.turns.rolls.gain.max()) + 1
        self.few = listing.unit * np.arange(self.size) < listing.rules.least_stop
        # Divide points by the size, because a total beyond all others has the value 1.
        bank = np.where(self.few & (np.arange(self.size) > 0), -np.inf, np.arange(self.size) / self.size)
        value, error, *_ = play(self.turns, (bank[np.newaxis], np.zeros(1), np.zeros(1)), 1, totals=1)
        self.most = float(value[0, 0, 0]) * self.size, float(error[0, 0, 0]) * self.size

    def cost(self, policy: str) -> Number:
        ends, (most, off) = self.ends(policy, lambda _: self.few, 1), self.most
        value, unit = float(ends.ends[0, 0] @ np.arange(self.size + 1)), self.listing.unit
        return (most - value) * unit, (off + self.size * (float(ends.rounding[0, 0]) + EPSILON * most)) * unit


class Race(Costs):
    """Cards for the expected turns of a race."""

    def __init__(self, listing: RaceCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.stakes = Stakes(listing.race)
        self.fewest = self._fewest()

    def _fewest(self) -> Number:
        """Return the fewest expected turns, by Newton's method for one total after the other, from the last back."""
        turns, stakes, none = self.turns, self.stakes, np.zeros(1)
        stakes.values, worst = np.zeros(self.size), 0.0
        for me in range(self.size - 1, -1, -1):
            block, after, later = stakes.blocks[me], np.ones(1), np.zeros((1, self.size - me))
            stakes.values[me] = 1.0 + stakes.values[me + 1 : me + 2].sum()
            for _ in range(STEPS):
                least, rounding, _, busts = play(turns, stakes.block(block), -1, (later, after, none), 1)
                off = float(least[0, 0, 0]) - stakes.values[me]
                stakes.values[me] += off / (1.0 - busts[0])
                if abs(off) <= SMALL * stakes.values[me]:
                    break
            worst = max(worst, abs(off) + float(rounding[0, 0, 0]))
        self.residual = worst
        return float(stakes.values[0]), worst * stakes.values.max() / (1.0 - worst)

    def cost(self, policy: str) -> Number:
        size, one = self.size, np.ones((self.size, self.size))
        ends = self.ends(policy, lambda me: self.stakes.too_few(np.array(me), np.arange(size - me)))
        # Against an opponent who always busts, only the player's turns count.
        none = np.zeros((size, 1))
        alone = Ends(np.zeros((size, 1, size + 1)), none + 1.0, none, none, none)
        turns = along_play(ends, alone, one, 0.0 * one, EPSILON, self.fail)[0][:, 0]
        again = 1.0 + ends.ends[:, 0, :size] @ turns + ends.busts[:, 0] * turns
        off = np.abs(turns - again) + (EPSILON * (size + 6) + ends.rounding[:, 0]) * turns.max()
        return float(turns[0] - self.fewest[0]), float(1.1 * off.max() * turns.max()) + self.fewest[1]


class Duel(Costs):
    """Cards against optimal play, and against the best response to them."""

    def __init__(self, listing: DuelCards, fail: Fail) -> None:
        super().__init__(listing, fail)
        self.own = TurnPolicies(listing.optimal, fail)
        self.V, turns, self.residual = best_play(self.own)
        enclosed(self.own.best_worth, self.V, 4 * EPSILON * turns, fail)
        self.optimal = self.own.ends(OPTIMAL, self.V)

    def card(self, policy: str) -> Ends:
        """Return how the turns of a card end."""
        return self.ends(policy, lambda me: self.own.stakes.too_few(np.array(me), np.arange(self.size - me)))

    def cost(self, policy: str) -> Number:
        return self._loss((policy, OPTIMAL), (self.card(policy), self.optimal))

    def worst(self, policy: str) -> Number:
        """Return the loss of a card to the best response, found by policy iteration from optimal play."""
        card, best, last = self.card(policy), self.own.best(self.V), -np.inf
        for _ in range(STEPS):
            X, Y = self._values((best, card))
            if not (X - last).max() > SMALL:  # at every pair of totals, because the proof compares them all
                break
            best, last = self.own.best(Y), X
        loss, off = self._loss((BEST_RESPONSE, policy), (best, card))
        return -loss, off

    def _loss(self, names: tuple[str, str], played: tuple[Ends, Ends]) -> Number:
        """Return 1 minus twice the first policy's mean probability of winning."""
        X, Y = self._values(played)
        _, off, off2 = errors(self.own, names, played, (X, Y))
        return float(Y[0, 0] - X[0, 0]), off + off2

    def _values(self, played: tuple[Ends, Ends]) -> tuple[np.ndarray, np.ndarray]:
        """Return the winning probabilities of both policies on the move, by (mover's total, other's)."""
        shape = self.size, self.size
        wins = np.broadcast_to(played[0].ends[:, :, -1], shape).copy()
        X, Z = along_play(*played, wins, np.zeros(shape), EPSILON, self.fail)
        return X, 1.0 - Z
