"""Check play against a dealer by cards or by totals: every value again, card by card, for the published play."""

from functools import cached_property
from itertools import product
from math import factorial, prod

import numpy as np

from dicebase.certify.action_rows import Again, check_rows
from dicebase.certify.dealer.draws import Dealer, play
from dicebase.certify.finding import EPSILON, Fail, Finding
from dicebase.certify.published import Published, check_keys
from dicebase.matches.deals.dealer import ByCards
from dicebase.vocabulary import DOUBLE, HIT, PLAYS, SPLIT, Hand
from dicebase.vocabulary.rules.dealer import plus

PROOF = "the published play again, card by card, and no play is better than it"
PROOF_BY_TOTALS = "the published play again, card by card, and its averages over the cards of each total"


def check(listing: ByCards, published: Published, fail: Fail) -> Finding:
    """Recompute all values under the published play, and the value of the game."""
    return _Check(listing, published, fail).finding()


class _Check:
    """The hands of a listing, and their published play by (card of the dealer, hand)."""

    def __init__(self, listing: ByCards, published: Published, fail: Fail) -> None:
        self.rules, self.published, self.fail = listing.rules, published, fail
        self.averaged = listing.averaged
        check_keys(published, listing.rows, fail)
        self.hands = [hand for group in listing.groups for hand in group]
        self.number = {hand: i for i, hand in enumerate(self.hands)}
        self.ranks = range(len(self.rules.ranks))
        # The hands of all rows: the row, the hand, and the rank of the dealer's card, (members,).
        members = [(row, self.number[hand], up) for row, some in enumerate(listing.rows.values()) for hand, up in some]
        self.row, self.hand, self.up = np.array(members).T
        actions = {hand: self.rules.actions(hand, split=False) for hand in self.hands}
        legal = [actions[some[0][0]] for some in listing.rows.values()]
        self.of = published.check_actions(iter(legal), fail)
        self.legal = np.array([[play in names for play in PLAYS] for names in legal])  # (rows, 5)
        self.dealer = Dealer.of(self.rules)
        self.cards = np.array(self.hands)
        may_double = [DOUBLE in self.rules.actions(h, split=True) and not self.rules.is_natural(h) for h in self.hands]
        self.may_double = np.array(may_double)
        self.totals = np.array([self.rules.points(hand).total for hand in self.hands])
        self.ahead = np.array([[self.number.get(plus(hand, r), -1) for r in self.ranks] for hand in self.hands])
        # A probability of the dealer's hands has 14 roundings per card, and sums one term per hand; a player's card
        # adds at most 100 to them. A value is a sum of at most twice as much.
        longest = int(self.dealer.drawn.sum(axis=1).max())
        self.rounding = 4 * EPSILON * (14 * longest + len(self.dealer.final) + 25 * int(self.cards.sum(axis=1).max()))

    @cached_property
    def plays(self) -> tuple[np.ndarray, np.ndarray]:
        """The columns in PLAYS of the published play, (R, H), with a first hand, and with its cards after a split."""
        first, later = np.zeros((2, len(self.ranks), len(self.hands)), int)
        q = np.full(self.legal.shape, -np.inf)
        q[self.legal] = self.published.actions["q_value"]
        texts, best = np.unique(self.published.best.astype(str), return_inverse=True)
        best = np.array([PLAYS.index(text) for text in texts])[best]
        first[self.up, self.hand] = later[self.up, self.hand] = best[self.row]
        for up, i, row in self._two():
            columns = [PLAYS.index(name) for name in self.rules.actions(self.hands[i], split=True)]
            later[up, i] = columns[int(q[row, columns].argmax())]
        return first, later

    def _two(self) -> list[tuple[int, int, int]]:
        """The (rank of the dealer's card, hand, row) of hands of two cards."""
        two = self.cards.sum(axis=1)[self.hand] == 2
        return [*zip(self.up[two].tolist(), self.hand[two].tolist(), self.row[two].tolist(), strict=True)]

    @cached_property
    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """The value of every play, and a bound on its rounding error, (R, H, 5)."""
        found = np.full((len(self.ranks), len(self.hands), len(PLAYS)), np.nan)
        errors = np.full(found.shape, 2 * self.rounding)
        everywhere, none = self.cards.sum(axis=1) > 1, np.zeros(len(self.ranks), int)
        for up, (first, later) in enumerate(zip(*self.plays, strict=True)):
            self._play(first, up, none, everywhere, found[up])
            for _, i, row in (of for of in self._two() if of[0] == up):
                if self.legal[row, PLAYS.index(SPLIT)]:
                    found[up, i, 3], errors[up, i, 3] = _Split(self, self.hands[i].index(2), up, later).best()
        return found, errors

    def _play(self, plays: np.ndarray, up: int, gone: np.ndarray, begin: np.ndarray, values: np.ndarray) -> None:
        hands = self.cards, self.totals, self.ahead
        play(self.dealer, *hands, plays, self.may_double, up, gone, begin, values)

    def chance(self, hand: Hand, up: int) -> tuple[float, float]:
        """Return the probabilities that the dealer shows a card and a player gets the cards of a hand in any order, and
        that the dealer has no natural, or one."""
        left, drawn, ways = np.array(self.rules.shoe), [up], factorial(sum(hand))
        drawn += [r for r in self.ranks for _ in range(hand[r])]
        found = ways / prod(map(factorial, hand))
        for r in drawn:
            found *= max(0, left[r]) / left.sum()
            left[r] -= self.dealer.less
        natural = (left * self.dealer.natural[up]).sum() / left.sum()
        return found * (1 - natural), found * natural

    def finding(self) -> Finding:
        values, errors = (found[self.up, self.hand] for found in self.values)
        first = np.searchsorted(self.row, np.arange(len(self.legal)))
        weights = np.ones(len(self.row))
        if self.averaged:
            weights = np.array([self._weight(*of) for of in zip(self.hand, self.up, strict=True)])
        total = np.add.reduceat(weights, first)[:, np.newaxis]
        q = np.add.reduceat(weights[:, np.newaxis] * values, first) / total
        counts = np.diff([*first, len(self.row)])
        rounding = np.maximum.reduceat(errors, first) + 8 * EPSILON * counts[:, np.newaxis]
        again, published = Again(q[self.legal], rounding[self.legal]), self.published
        firsts = np.searchsorted(self.of, np.arange(len(self.legal)))
        apart = np.abs(published.actions["q_value"] - again.q_value)
        residual = float(apart.max())
        bounds = np.maximum.reduceat(again.rounding, firsts) + np.minimum(apart, again.rounding).max()
        check_rows(published, self.of, 1, 2 * bounds, False, self.fail, again)
        value = self._value()
        bound = float(bounds.max())
        return Finding(value, bound, bound, residual, PROOF_BY_TOTALS if self.averaged else PROOF)

    def _weight(self, hand: int, up: int) -> float:
        clear, natural = self.chance(self.hands[hand], up)
        return clear + (0.0 if self.rules.peeks else natural)

    def _value(self) -> float:
        """The value of the game under the published play."""
        first, values, found = self.plays[0], self.values[0], 0.0
        for hand, up in product([h for h in self.hands if sum(h) == 2], self.ranks):
            clear, lost = self.chance(hand, up)
            if self.rules.is_natural(hand):
                found += clear * float(self.rules.natural)
            elif clear + lost > 0:
                best = values[up, self.number[hand], first[up, self.number[hand]]]
                found += clear * best + lost * (-1 if self.rules.peeks else best)
        return found


class _Split:
    """The hands of a split pair of a rank against a card of the dealer."""

    def __init__(self, of: _Check, rank: int, up: int, later: np.ndarray) -> None:
        self.of, self.rank, self.up = of, rank, up
        self.plays = later.copy()
        if not (of.averaged or of.rules.infinite):
            # The best play if the other card of the pair is gone, but no other hand has more cards.
            gone, self.plays[:] = np.eye(len(of.ranks), dtype=int)[rank], -1
            begin = (of.cards[:, rank] > 0) & (of.cards.sum(axis=1) > 1)
            of._play(self.plays, up, gone, begin, np.zeros((len(later), len(PLAYS))))
        if of.rules.one_card(rank):
            self.plays[:] = 0
        self.start = of.number[plus((0,) * len(of.ranks), rank)]
        self.plays[self.start] = PLAYS.index(HIT)
        gone = plus(plus(plus((0,) * len(of.ranks), up), rank), rank)
        self.left = np.array(of.rules.shoe) - of.dealer.less * np.array(gone)
        self.known: dict[int, tuple[float, float]] = {}

    def best(self) -> tuple[float, float]:
        """The greater value of splitting again and not, and a bound on its error."""
        return max(self._deal(0, 0, 2, most) for most in {2, self.of.rules.most_hands(self.rank)})

    def _same(self, more: int, others: int) -> float:
        """The probability that the next card is of the pair's rank if `more` such cards and `others` others went."""
        d, left = self.of.dealer, self.left
        may, rest = d.hides[self.up].astype(float), left.sum() - left[self.rank]
        # The share of other ranks that the dealer may hide.
        hidden = ((may * left).sum() - may[self.rank] * left[self.rank]) / rest
        pair, other = max(0, left[self.rank] - d.less * more), rest - d.less * others
        same = pair * (may[self.rank] * (pair - d.less) + hidden * other)
        return same / (same + other * (may[self.rank] * pair + hidden * (other - d.less)))

    def _one(self, more: int, others: int, apart: bool) -> np.ndarray:
        """The value of a hand and a bound on its error, (2,), if `more` further cards of the pair's rank are gone, and
        `others` cards of other ranks. With `apart` the hand's own second card is of another rank, too."""
        if others:
            same = self._same(more, others if apart else others - 1)
            if same == 0:
                return self._one(more, others - 1, apart)
            with_same = self._one(more + 1, others - 1, apart)
            return (self._one(more, others - 1, apart) + same * with_same * [-1, 1]) / (1 - same)
        if more not in self.known:
            of, hands = self.of, len(self.of.hands)
            gone, begin, values = np.zeros(len(of.ranks), int), np.arange(hands) == self.start, np.zeros((hands, 5))
            gone[self.rank] = 1 + more
            of._play(self.plays, self.up, gone, begin, values)
            pair = of.ahead[self.start, self.rank]
            same, whole = self._same(more, 0), values[self.start, 1]
            self.known[more] = whole, (whole - same * values[pair, self.plays[pair]]) / (1 - same)
        return np.array([self.known[more][apart], 4 * self.of.rounding])

    def _deal(self, more: int, others: int, waiting: int, most: int) -> tuple[float, float]:
        """The value of all hands and a bound on its error: `others` hands have a second card of another rank, and
        `waiting` have none."""
        if waiting and more + 2 < most:
            same = self._same(more, others)
            parts = [(1 - same, self._deal(more, others + 1, waiting - 1, most))]
            if same:
                parts.append((same, self._deal(more + 1, others, waiting + 1, most)))
            return tuple(sum(chance * np.array(found) for chance, found in parts).tolist())
        found = waiting * self._one(more, others, False)
        return tuple((found + others * self._one(more, others - 1, True) if others else found).tolist())
