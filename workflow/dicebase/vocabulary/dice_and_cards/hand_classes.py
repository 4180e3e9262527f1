"""Count the draws of a draw game exactly: sets of cards up to the names of their suits, and final hands by hold.

A set of cards is an integer with bit 13 * suit + rank for each card. Sets that differ in the names of the suits form a
class, whose representative has the suits' 13-bit parts in rising order. Let S(X) be the number of final hands that
contain the cards X, or a sum over them. The final hands after holding X and discarding Y contain X and no card of Y, so
by inclusion and exclusion their sum is that of (-1)^|Z| S(X + Z) over the subsets Z of Y.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product
from math import comb, lcm

import numpy as np

from dicebase.vocabulary.dice_and_cards.cards import RANKS, SUITS, Card
from dicebase.vocabulary.rules.draws import HAND, HELD_FEATURES, HOLDS

SHIFTS = np.arange(0, 13 * len(SUITS), 13)
_DEALS = np.array([24, 12, 12, 4, 12, 6, 4, 1])
"""The number of sets in a class, by whether its second, third and fourth suit equal the suit before (bits 0, 1, 2)."""


def card_bits(cards: Sequence[Card]) -> list[int]:
    """Return the bit of each card."""
    return [1 << 13 * SUITS.index(suit) + RANKS.index(rank) for rank, suit in cards]


def parts(cards: np.ndarray) -> np.ndarray:
    """Return the ranks held in each suit, as 13 bits, in a new last axis of length 4."""
    return cards[..., np.newaxis] >> SHIFTS & (1 << 13) - 1


def representatives(cards: np.ndarray) -> np.ndarray:
    """Return the representative of each set's class."""
    suits = parts(cards)
    suits.sort(axis=-1)
    return suits @ (1 << SHIFTS)


class HandClasses:
    """The classes of all sets of at most five cards of a deck.

    sets : (classes,), their representatives, sorted. sizes : (classes,), numbers of cards. deals : (classes,), numbers
        of sets. hands : (hands,), the indices of the sets of five cards.
    """

    def __init__(self, ranks: str) -> None:
        self.deck = np.array(card_bits([(rank, suit) for rank in reversed(ranks) for suit in reversed(SUITS)]))
        levels = [np.zeros(1, np.int64)]
        for _ in range(HAND):
            more = levels[-1][:, np.newaxis] | self.deck
            levels.append(np.unique(representatives(more[more != levels[-1][:, np.newaxis]])))
        order = np.argsort(np.concatenate(levels))
        self.sets = np.concatenate(levels)[order]
        self.sizes = np.repeat(np.arange(HAND + 1), [*map(len, levels)])[order]
        suits = parts(self.sets)
        self.deals = _DEALS[(suits[:, 1:] == suits[:, :-1]) @ np.array([1, 2, 4])]
        self.hands = np.flatnonzero(self.sizes == HAND)
        self.draws, self.common = draws_of(ranks)

    def places(self, cards: np.ndarray) -> np.ndarray:
        """Return the index of each set's class."""
        return np.searchsorted(self.sets, representatives(cards))

    @cached_property
    def cards(self) -> np.ndarray:
        """The cards of each hand, highest first, (hands, 5)."""
        held = (self.sets[self.hands][:, np.newaxis] & self.deck) != 0
        return self.deck[np.nonzero(held)[1]].reshape(-1, HAND)

    @cached_property
    def kept(self) -> np.ndarray:
        """The class of the cards held, by hand and hold in the order of HOLDS, (hands, 32)."""
        return np.stack([self.places(self.cards @ bits) for bits in held_cards()], axis=-1)

    def ranked(self, rank: Callable[[tuple[Card, ...]], str], names: Sequence[str]) -> np.ndarray:
        """Return the rank of each hand as an index into `names`, (hands,)."""
        cards = {bit: card for card in product(RANKS, SUITS) for bit in card_bits([card])}
        numbers = {name: i for i, name in enumerate(names)}
        return np.array([numbers[rank(tuple(cards[bit] for bit in hand))] for hand in self.cards.tolist()])

    def sums(self, of_hands: np.ndarray) -> np.ndarray:
        """Return S of each class, (classes,): the sum of `of_hands`, (hands,) integers, over the final hands that
        contain its cards. Each hand adds to its 32 subsets; sums stay below 2**53, so doubles are exact."""
        total, weights = np.zeros(len(self.sets)), self.deals[self.hands] * of_hands
        for kept in self.kept.T:
            total += np.bincount(kept, weights, len(total))
        return total.astype(np.int64) // self.deals

    def values(self, paid: np.ndarray) -> np.ndarray:
        """Return the coins paid after each hold times `common`, summed over equally likely draws, (hands, 32).
        paid : (classes,), S of the coins paid."""
        return paid[self.kept] @ signs().T * (self.common // self.draws[held_cards().sum(axis=1)])


def draws_of(ranks: str) -> tuple[np.ndarray, int]:
    """Return (the number of final hands after a hold, by the number of cards held, (6,); their least common multiple)
    for a deck with these ranks."""
    others = len(SUITS) * len(ranks) - HAND
    draws = [comb(others, HAND - held) for held in range(HAND + 1)]
    return np.array(draws), lcm(*draws)


def held_cards() -> np.ndarray:
    """Return whether each of five cards is held, (32, 5), in the order of HOLDS."""
    return np.array(HOLDS)[:, np.newaxis] >> np.arange(HAND) & 1


def signs() -> np.ndarray:
    """Return the coefficient of S(held cards of hold j) in the sum over the final hands of hold i, (32, 32)."""
    holds = np.array(HOLDS)
    more = holds[np.newaxis] & ~holds[:, np.newaxis]
    contains = holds[:, np.newaxis] & ~holds[np.newaxis] == 0
    return np.where(contains, (-1) ** np.bitwise_count(more).astype(np.int64), 0)


def held_features(classes: HandClasses, paid: np.ndarray) -> dict[str, np.ndarray]:
    """Return the HELD_FEATURES of each set of cards, (classes,), from the coins `paid` for each hand."""
    bits = parts(classes.sets)[..., np.newaxis] >> np.arange(len(RANKS)) & 1  # (sets, suits, ranks)
    held, none, pays = bits.sum(axis=1), classes.sizes == 0, np.zeros(len(classes.sets), np.int64)
    pays[classes.hands] = paid
    (low, top), (first, last) = _ends(held), _ends(np.roll(held, 1, axis=1))
    found = (
        classes.sizes,
        (bits.any(axis=2).sum(axis=1) <= 1).astype(int),
        (held > 0).sum(axis=1),
        held.max(axis=1),
        np.where(none, 0, low + 2),
        np.where(none, 0, top + 2),
        np.where(none, 0, np.minimum(top - low, last - first) + 1),
        held[:, RANKS.index("J") :].sum(axis=1),
        pays,
    )
    return dict(zip(HELD_FEATURES, found, strict=True))


def _ends(held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first and last column that is not zero, by row."""
    return (held > 0).argmax(axis=1), held.shape[1] - 1 - (held[:, ::-1] > 0).argmax(axis=1)
