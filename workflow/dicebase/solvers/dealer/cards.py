"""Play by totals from an infinite shoe, in which each position chooses freely among the plays that some card allows."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter

import numpy as np

from dicebase.solvers.cards import range_of
from dicebase.solvers.dealer.shoe import Shoe
from dicebase.vocabulary import HIT, PLAYS, DealerGame, Hand
from dicebase.vocabulary.rules.dealer import plus


class Totals:
    """The positions of play by totals: first hands, hands after a split, and hands of three or more cards.

    features : (hand, rank of the dealer's card) -> numbers by which lines decide, with these names. Arrays have the
    positions along the first axis and the R ranks of the dealer's card along the second.
    """

    def __init__(self, rules: DealerGame, names: Sequence[str], features: Callable[[Hand, int], tuple]) -> None:
        self.ranks, self.chance = range(len(rules.ranks)), np.array(rules.shoe) / sum(rules.shoe)
        hands = [hand for hand in rules.hands() if sum(hand) > 1]
        totals = {rules.points(hand): hand for hand in hands}  # of equal totals the longest hand, which comes last
        ahead = {point: [rules.points(plus(hand, r)) for r in self.ranks] for point, hand in totals.items()}
        order = [*TopologicalSorter({p: [q for q in of if q in ahead] for p, of in ahead.items()}).static_order()]
        self.number = {point: i for i, point in enumerate(order)}
        # The positions: all totals with three or more cards, in order, then pairs of ranks, first and after a split.
        pairs = [(a, b) for a in self.ranks for b in self.ranks[a:]]
        two = [hand for a, b in pairs if not rules.is_natural(hand := plus(plus((0,) * len(self.ranks), a), b))]
        self.hands = [(totals[point], True) for point in order] + [(h, split) for split in (False, True) for h in two]
        three = len(order)
        self.first, self.after = (slice(three + i * len(two), three + (i + 1) * len(two)) for i in (0, 1))
        self.ahead = np.array([[self.number.get(point, -1) for point in ahead[p]] for p in order])
        self.total = np.array([self.number[rules.points(hand)] for hand, _ in self.hands])
        legal = [[HIT, PLAYS[0]] if i < three else rules.actions(*hand) for i, hand in enumerate(self.hands)]
        self.legal = np.array([[play in said for play in PLAYS] for said in legal])
        said = np.array([[features(hand, up) for up in self.ranks] for hand, _ in self.hands])
        said[:three, :, [*names].index("cards")] = 3
        self.features = {name: (said[..., i], said[..., i]) for i, name in enumerate(names)}
        self._fixed(rules, order)
        self._splits(rules, two)

    def _fixed(self, rules: DealerGame, order: Sequence) -> None:
        """Set the values of stand, double and surrender, and the probability of each first hand."""
        shoe = Shoe.of(rules, sum(self.hands[0][0]))
        stand = np.array([shoe.fixed[:, point.total] for point in order] + [np.full(len(self.ranks), -1.0)])
        natural = shoe.natural @ self.chance
        self.stand = stand[:-1]
        double = 2 * np.einsum("r,nru->nu", self.chance, stand[self.ahead])
        self.double, self.surrender = double, -0.5 - (natural * (not rules.peeks)) / 2
        counts = np.array([hand for hand, _ in self.hands[self.first]])
        each = np.prod(self.chance**counts, axis=1) * np.where(counts.max(axis=1) == 2, 1, 2)
        self.weight = each[:, np.newaxis] * self.chance * (1 - natural * rules.peeks)

    def _splits(self, rules: DealerGame, two: Sequence[Hand]) -> None:
        """Set the positions after a second card, (R, R), -1 for a natural, and what the rules say of each pair."""
        after = {hand: self.after.start + i for i, hand in enumerate(two)}
        one = [plus((0,) * len(self.ranks), r) for r in self.ranks]
        self.second = np.array([[after.get(plus(hand, r), -1) for r in self.ranks] for hand in one])
        totals = np.array([[self.number[rules.points(plus(hand, r))] for r in self.ranks] for hand in one])
        self.stands = self.stand[totals]
        one_card = np.array([rules.one_card(r) for r in self.ranks])
        self.stops = (self.second < 0) | one_card[:, np.newaxis]
        self.pairs = self.first.start + np.array([two.index(plus(hand, r)) for r, hand in enumerate(one)])
        self.most = [rules.most_hands(r) for r in self.ranks]

    def plays(self, lines: Sequence[tuple[str, str]], numbers: Mapping[str, tuple[int, int]]) -> np.ndarray:
        """Return which plays some card takes, (plays, positions, R): `lines` are plays with their conditions, and
        `numbers` the ranges of the cards' numbers."""
        known = self.features | {n: (np.int64(low), np.int64(high)) for n, (low, high) in numbers.items()}
        found = np.zeros((len(PLAYS), *known["dealer"][0].shape), bool)
        undecided = np.ones_like(found[0])
        for play, condition in lines:
            surely, maybe = (self.legal[:, [PLAYS.index(play)]] & (end != 0) for end in range_of(condition, known))
            found[PLAYS.index(play)] |= undecided & maybe
            undecided &= ~surely
        found[PLAYS.index(HIT)] |= undecided
        return found

    def values(self, plays: np.ndarray) -> np.ndarray:
        """Return the value of each first hand, (first hands, R), if each position takes the best of its plays."""
        count = len(self.ahead)
        V, hit = np.full((count + 1, len(self.ranks)), -1.0), np.empty((count, len(self.ranks)))
        for i, ahead in enumerate(self.ahead):
            hit[i] = self.chance @ V[ahead]
            stand = np.where(plays[0, i], self.stand[i], -np.inf)
            V[i] = np.where(plays[1, i], np.maximum(hit[i], stand), stand)
        never = np.full_like(hit, -np.inf)
        q = np.stack([self.stand, hit, self.double, never, np.broadcast_to(self.surrender, hit.shape)])[:, self.total]
        best = np.where(plays, q, -np.inf).max(axis=0)
        best[self.pairs] = np.maximum(best[self.pairs], np.where(plays[3, self.pairs], self._split(best), -np.inf))
        return best[self.first]

    def _split(self, best: np.ndarray) -> np.ndarray:
        """Return the value of splitting each pair, (R, R), and of splitting again until there are most hands."""
        found = np.where(self.stops[..., np.newaxis], self.stands, best[self.second])
        part, rank = self.chance[:, np.newaxis] * found, np.arange(len(self.ranks))
        same, whole = part[rank, rank], part.sum(axis=1)
        values = np.empty_like(same)
        for r, most in enumerate(self.most):

            @cache
            def deal(waiting: int, hands: int, r: int = r, most: int = most) -> np.ndarray | float:
                if hands == most or not waiting:
                    return waiting * whole[r]
                other = whole[r] - same[r] + (1 - self.chance[r]) * deal(waiting - 1, hands)
                return other + self.chance[r] * deal(waiting + 1, hands + 1)

            values[r] = deal(2, 2)
        return values

    def best_values(self) -> np.ndarray:
        """Return the value of each first hand under best play."""
        return self.values(np.broadcast_to(self.legal.T[..., np.newaxis], (*self.legal.T.shape, len(self.ranks))))
