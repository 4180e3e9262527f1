"""Count the final hands of a draw game again, one card at a time, and one hand after another for some deals.

The solver adds each final hand to its 32 subsets and uses inclusion and exclusion. Here S follows from larger sets,
(5 - |X|) S(X) = sum of S(X + c) over the other cards c, and discards leave one after the other: the final hands without
the card c are all of them less those with c. For PLAIN hands every final hand of the deck is looked at.
"""

from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import comb

import numpy as np

from dicebase.certify.finding import Fail
from dicebase.vocabulary import HAND, RANKS, SUITS, Draw, write_cards
from dicebase.vocabulary.dice_and_cards.hand_classes import HandClasses, parts
from dicebase.vocabulary.kernels import kernel

PLAIN = 20
ORDER = [sum(held << i for i, held in enumerate(of)) for of in product((0, 1), repeat=HAND)]
"""The ways to hold cards, as bits, in the order in which the policy takes them in a tie."""


class Recount:
    """The final hands of a draw game, and the published policy."""

    def __init__(self, rules: Draw, fail: Fail) -> None:
        self.rules, self.fail = rules, fail
        self.classes = classes = HandClasses(rules.ranks)
        for size in range(HAND + 1):
            if classes.deals[classes.sizes == size].sum() != comb(len(classes.deck), size):
                fail(None, f"the classes do not contain every set of {size} cards once")
        self.names, self.coins = [*rules.payouts], np.array([*rules.payouts.values()])
        self.deals = classes.deals[classes.hands]
        self.of_set = np.full(len(classes.sets), -1)
        self.of_set[classes.hands] = self._ranks()

    def _ranks(self) -> list[int]:
        """Return the rank of each hand as an index; fail if another naming of its suits has another rank."""
        found, of = [], {name: number for number, name in enumerate(self.names)}
        highest = {card: i for i, card in enumerate(product(reversed(RANKS), reversed(SUITS)))}
        namings = [self._named("".join(suits)) for suits in permutations(SUITS)]
        for number, hand in enumerate(self.classes.cards.tolist()):
            here, other = ([naming[bit] for bit in hand] for naming in (namings[0], namings[1 + number % 23]))
            rank = self.rules.rank(tuple(here))
            if self.rules.rank(tuple(sorted(other, key=highest.get))) != rank:
                self.fail(None, f"{write_cards(here)} and {write_cards(other)} are of different ranks")
            found.append(of[rank])
        return found

    @staticmethod
    def _named(suits: str) -> dict[int, tuple[str, str]]:
        """Return {bit: card}, with these names of the suits."""
        return {1 << i: (RANKS[i % 13], suits[i // 13]) for i in range(52)}

    @cached_property
    def paid(self) -> np.ndarray:
        """The coins of each rank's hands, and 0 for a set that is no hand, (classes,)."""
        return np.where(self.of_set < 0, 0, self.coins[self.of_set])

    def sums(self, of_sets: np.ndarray) -> np.ndarray:
        """Return S, (classes,), from its values for whole hands."""
        classes, found = self.classes, of_sets.astype(np.int64)
        for size in range(HAND - 1, -1, -1):
            here = np.flatnonzero(classes.sizes == size)
            for first in range(0, len(here), 4096):
                some = here[first : first + 4096]
                more = classes.sets[some, np.newaxis] | classes.deck
                larger = more != classes.sets[some, np.newaxis]
                total = np.where(larger, found[classes.places(more)], 0).sum(axis=1)
                if (total % (HAND - size)).any():
                    self.fail(None, f"the final hands with {size} given cards are not counted equally often")
                found[some] = total // (HAND - size)
        return found

    @cached_property
    def kept(self) -> np.ndarray:
        """The class of the cards held, (hands, 32), by their bits."""
        cards, held = self.classes.cards, np.arange(1 << HAND)[:, np.newaxis] >> np.arange(HAND) & 1
        return np.stack([self.classes.places(cards @ bits) for bits in held], axis=1)

    def by_hold(self, sums: np.ndarray) -> np.ndarray:
        """Return the sum over the final hands after each hold, (hands, 32), by the bits of the cards held."""
        found = sums[self.kept]
        for i in range(HAND):
            without = [hold for hold in range(1 << HAND) if not hold >> i & 1]
            found[:, without] -= found[:, [hold | 1 << i for hold in without]]
        return found

    @cached_property
    def scale(self) -> np.ndarray:
        """The factor that makes all holds equally many final hands, by the bits of the cards held, (32,)."""
        return self.classes.common // self.classes.draws[[hold.bit_count() for hold in range(1 << HAND)]]

    @cached_property
    def values(self) -> np.ndarray:
        """The coins after each hold times `classes.common`, (hands, 32), by the bits of the cards held."""
        sums = self.sums(self.paid)
        found = self.by_hold(sums)
        if (found.sum(axis=1) != sums[0]).any():
            self.fail(None, "the holds of a hand do not share all final hands between them")
        return found * self.scale

    def look_at_all(self) -> None:
        """Fail unless the holds of PLAIN hands have their values if every final hand of the deck is looked at."""
        suits, shifts = parts(self.classes.sets[self.classes.hands]), 1 << np.arange(0, 52, 13)
        final = np.unique(np.concatenate([suits[:, list(order)] @ shifts for order in permutations(range(4))]))
        paid = self.paid[self.classes.places(final)]
        hands = len(self.classes.hands)
        for hand in np.linspace(0, hands - 1, min(PLAIN, hands)).astype(int).tolist():
            plain = np.zeros(1 << HAND, np.int64)
            _look_at_all(final, paid, self.classes.cards[hand], plain)
            if (plain * self.scale != self.values[hand]).any():
                cards = write_cards(map(self._named(SUITS).get, self.classes.cards[hand].tolist()))
                self.fail(None, f"the holds of {cards} do not have the final hands that were counted")

    @cached_property
    def best(self) -> np.ndarray:
        """The published policy's hold of each hand, as bits, (hands,)."""
        return np.array(ORDER)[self.values[:, ORDER].argmax(axis=1)]

    @property
    def games(self) -> int:
        """The number of equally likely ends of a game."""
        return int(self.deals.sum()) * self.classes.common

    @property
    def mean(self) -> Fraction:
        """The expected coins of a game."""
        return Fraction(self.moment(1), self.games)

    def moment(self, power: int) -> int:
        """Return the sum over all deals of a power of the expected coins times `classes.common`."""
        values = self.values[np.arange(len(self.best)), self.best].tolist()
        return sum(n * value**power for n, value in zip(self.deals.tolist(), values, strict=True))

    def ends(self, rank: int) -> int:
        """Return the number of equally likely ends of a game with a rank."""
        found = self.by_hold(self.sums(self.of_set == rank))[np.arange(len(self.best)), self.best]
        each = self.deals * found
        return sum(int(each[self.scale[self.best] == s].sum()) * s for s in np.unique(self.scale).tolist())


@kernel
def _look_at_all(final, paid, cards, sums):
    """Add the coins `paid` of each final hand to the hold after which it can be drawn: its cards among `cards`."""
    for i in range(len(final)):
        hold = 0
        for j in range(5):
            hold |= (final[i] & cards[j] != 0) << j
        sums[hold] += paid[i]
