"""Certify cards of games of turns: recompute each card's cost from the rules, by how its turns end.

In a duel, policy iteration finds the values of optimal play and of best responses; they are proved as in
duel_matchups.py. The fewest turns of a race and the most points of a turn are recomputed and bounded by their residuals
and rounding. That a card is the best of its language rests on the solver's search. Here a card that is claimed to be
the best is compared with its neighbours, which differ by one step in one number.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from dicebase.certify.card_claims import check_proved, neighbours
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.pairs import Ends, along_play, enclosed, errors
from dicebase.certify.published import Published, check_keys
from dicebase.certify.turns.duel_matchups import TurnPolicies
from dicebase.certify.turns.duel_scores import best_play
from dicebase.certify.turns.kernel import Turns, play
from dicebase.certify.turns.stakes import Stakes
from dicebase.certify.turns.turn_ends import ends_of, holds
from dicebase.matches.duels.duel_cards import DuelCards
from dicebase.matches.duels.duel_matchups import BEST_RESPONSE, OPTIMAL
from dicebase.matches.turns.cards import Cards
from dicebase.matches.turns.hold_at import WORD
from dicebase.matches.turns.race_cards import RaceCards
from dicebase.matches.turns.turn_cards import TurnCards
from dicebase.vocabulary import TIE

STEPS, SMALL = 100, 1e-14  # most steps of policy iteration, and the improvement at which it stops
PROOF = "residuals of one turn of both policies, summed along play; the search for better cards is not repeated"

Number = tuple[float, float]
"""A number and a bound on its error."""


def check(listing: Cards, published: Published, fail: Fail) -> Finding:
    """Certify the cost of every card, and the cost against the best response in a duel."""
    check_keys(published, [(name,) for name in listing.languages], fail)
    kinds = {DuelCards: Duel, RaceCards: Race, TurnCards: OneTurn}
    costs, bound = kinds[type(listing)](listing, fail), 0.0
    *worst, least, proved, cards, policies = published.more
    for i, (name,) in enumerate(published.states):
        language, formula, said = listing.languages[name], policies[i].removeprefix(f"{WORD} "), published.values[i]
        numbers = language.read(formula)
        if policies[i] != f"{WORD} {formula}" or not numbers or cards[i] != listing.in_words(name, numbers):
            fail((name,), f"'{policies[i]}' is not a card of this language, or its words differ")
        check_proved(name, said, least[i], proved[i], fail)
        found = [("cost", said, costs.cost(formula)), *(("worst_case", w[i], costs.worst(formula)) for w in worst)]
        for what, claimed, (cost, off) in found:
            if not abs(claimed - cost) <= off + 4 * EPSILON:
                fail((name,), f"{what} is {float(claimed)!r}, recomputed it is {cost!r}")
            bound = max(bound, off + 4 * EPSILON)
        for near in neighbours(language, numbers) if proved[i] else ():
            cost, off = costs.cost(near)
            if cost + off + TIE < said:
                fail((name,), f"the card is not the best: '{near}' costs {cost!r}")
    return Finding(float(published.values.min()), bound, bound, costs.residual, PROOF, actions=0)


class Costs(ABC):
    """What the cards of a format lose. `residual` is that of the best play with which they are compared."""

    residual = 0.0

    def __init__(self, listing: Cards, fail: Fail) -> None:
        self.listing, self.fail = listing, fail
        self.turns, self.size = Turns(listing.rules, listing.unit), listing.count

    def ends(self, formula: str, few: Callable[[int], np.ndarray], totals: int | None = None) -> Ends:
        """Return how the turns of a card end; few : whether a turn total is too small to bank, by the mover's total."""
        policy = self.listing.policy(formula, self.size)
        return ends_of(self.turns, self.size, holds(self.turns, self.size, policy, few), totals)

    @abstractmethod
    def cost(self, formula: str) -> Number:
        """Return what a card loses to the best play."""


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

    def cost(self, formula: str) -> Number:
        ends, (most, off) = self.ends(formula, lambda _: self.few, 1), self.most
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

    def cost(self, formula: str) -> Number:
        size, one = self.size, np.ones((self.size, self.size))
        ends = self.ends(formula, lambda me: self.stakes.too_few(np.array(me), np.arange(size - me)))
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

    def card(self, formula: str) -> Ends:
        """Return how the turns of a card end."""
        return self.ends(formula, lambda me: self.own.stakes.too_few(np.array(me), np.arange(self.size - me)))

    def cost(self, formula: str) -> Number:
        return self._loss((formula, OPTIMAL), (self.card(formula), self.optimal))

    def worst(self, formula: str) -> Number:
        """Return the loss of a card to the best response, found by policy iteration from optimal play."""
        card, best, last = self.card(formula), self.own.best(self.V), -np.inf
        for _ in range(STEPS):
            X, Y = self._values((best, card))
            if not (X - last).max() > SMALL:  # at every pair of totals, because the proof compares them all
                break
            best, last = self.own.best(Y), X
        loss, off = self._loss((BEST_RESPONSE, formula), (best, card))
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
