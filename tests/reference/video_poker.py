"""Video poker by counting ranks and suits apart; it shares nothing with dicebase.

The coins of a final hand depend on its ranks and on whether it is of one suit. So the draws after a hold are counted by
their ranks alone, as if no hand were of one suit, with the number of ways to choose the suits; then the difference is
added for the draws that make all cards of one suit. Wild deuces belong to every suit.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, lcm

import numpy as np

DEUCE, ACE = 0, 12  # ranks are numbered from the 2
PAIRS = {"tens_or_better": 8, "jacks_or_better": 9, "queens_or_better": 10, "kings_or_better": 11, "pair_of_aces": 12}
BINOMIAL = np.array([[comb(n, k) for k in range(6)] for n in range(5)])

GAMES = lcm(*(comb(47, drawn) for drawn in range(6)))
SCALES = [GAMES // comb(47, 5 - hold.bit_count()) for hold in range(32)]

Masks = tuple[int, int, int, int]
"""The cards of a hand: for each suit a bit mask of ranks, the largest first."""


def hands() -> Iterator[tuple[Masks, int]]:
    """Yield every hand up to the names of the suits, with the number of hands that it stands for."""
    of_size = [[sum(1 << r for r in ranks) for ranks in combinations(range(13), n)] for n in range(6)]
    for sizes in [s for s in combinations_with_replacement(range(6), 4) if sum(s) == 5]:
        for masks in _products([of_size[n] for n in reversed(sizes)]):
            yield tuple(sorted(masks, reverse=True)), len({*permutations(masks)})


def _products(parts: list[list[int]], chosen: tuple = ()) -> Iterator[tuple]:
    """Yield one mask of each part; masks of equal size come in falling order."""
    if len(chosen) == len(parts):
        yield chosen
        return
    for mask in parts[len(chosen)]:
        if not chosen or chosen[-1].bit_count() > mask.bit_count() or chosen[-1] >= mask:
            yield from _products(parts, (*chosen, mask))


class VideoPoker:
    """A pay table: {rank of a final hand: coins}, with `wild` deuces or without wild cards."""

    def __init__(self, pays: Mapping[str, int], wild: bool = False) -> None:
        self.pays, self.wild = pays, wild
        self.coins_of = {n: self._coins_by_ranks(n) for n in range(6)}
        self.plain_values = cache(self._plain_values)
        self.of_one_suit = cache(self._of_one_suit)

    def coins(self, ranks: tuple[int, ...], suited: bool) -> int:
        """The coins of a final hand by its sorted ranks."""
        found = [self.pays[name] for name in self._names(ranks, suited) if name in self.pays]
        return (max(found, default=0) if self.wild else found[0]) if found else 0

    def _names(self, ranks: tuple[int, ...], suited: bool) -> Iterator[str]:
        """Yield the names of all ranks that a hand is of, highest first."""
        jokers = ranks.count(DEUCE) if self.wild else 0
        cards = [r for r in ranks if not (self.wild and r == DEUCE)]
        counts = [*sorted(Counter(cards).values(), reverse=True), 0, 0]
        low = [-1 if r == ACE else r for r in cards]
        run = counts[0] <= 1 and any(max(of) - min(of) <= 4 for of in (cards, low) if of)
        most, kind = counts[0] + jokers, max(cards, key=cards.count, default=DEUCE)
        if run and suited and min(cards) >= 8:
            yield ("wild_royal" if jokers else "natural_royal") if self.wild else "royal_flush"
        if jokers == 4:
            yield "four_deuces"
        if most >= 5:
            yield "five_of_a_kind"
        if run and suited:
            yield "straight_flush"
        if most >= 4:
            special = "four_aces" if kind == ACE else "four_2_to_4" if kind <= 2 else ""
            kicker = next((r for r in cards if r != kind), kind)
            if special and not self.wild and (kicker <= 2 or kicker == ACE):
                yield f"{special}_with_kicker"
            yield from (special, "four_of_a_kind")
        if counts[0] + counts[1] + jokers >= 5 and len({*cards}) <= 2:
            yield "full_house"
        if suited:
            yield "flush"
        if run:
            yield "straight"
        if most >= 3:
            yield "three_of_a_kind"
        if counts[1] == 2:
            yield "two_pair"
        if counts[0] == 2:
            yield from (name for name, least in PAIRS.items() if kind >= least)

    @staticmethod
    @cache
    def _draws(count: int) -> np.ndarray:
        """All draws of some cards by rank: the number of cards of each rank, (draws, 13)."""
        drawn = [*combinations_with_replacement(range(13), count)]
        return np.array([np.bincount(ranks, minlength=13) for ranks in drawn] if count else np.zeros((1, 13), int))

    def _coins_by_ranks(self, count: int) -> dict[tuple[int, ...], np.ndarray]:
        """{ranks held: coins after each of `_draws(count)`, as if not of one suit}."""
        found = {}
        for held in combinations_with_replacement(range(13), 5 - count):
            if all(held.count(r) <= 4 for r in held):
                drawn = combinations_with_replacement(range(13), count)
                after = (tuple(sorted((*held, *more))) for more in drawn)
                found[held] = np.array([0 if max(map(r.count, r)) > 4 else self._plain(r) for r in after])
        return found

    @cache  # noqa: B019
    def _plain(self, ranks: tuple[int, ...]) -> int:
        return self.coins(ranks, False)

    def _by_ranks(self, held: tuple[int, ...], gone: tuple[int, ...]) -> int:
        """The coins of all draws, as if no final hand were of one suit, after ranks are held and discarded."""
        drawn = self._draws(len(gone))
        left = 4 - np.bincount([*held, *gone], minlength=13)
        ways = np.ones(len(drawn), np.int64)
        for rank in range(13):
            ways *= BINOMIAL[left[rank], drawn[:, rank]]
        return int(ways @ self.coins_of[len(gone)][held])

    def _of_one_suit(self, held: int, gone: int, jokers: int, lost: int) -> int:
        """The coins that the draws with all cards of one suit are paid more than by their ranks.

        held, gone : bit masks of the ranks of this suit that are held and discarded, without wild deuces.
        jokers, lost : the number of wild deuces that are held and discarded.
        """
        total = 0
        for more in range(5 - jokers - held.bit_count() + 1 if self.wild else 1):
            if more > 4 - jokers - lost:
                break
            extra = sum(self._gain(mask, jokers + more) for mask in self._suits(jokers + more)
                        if mask & held == held and not mask & gone)  # fmt: skip
            total += comb(4 - jokers - lost, more) * extra
        return total

    @cache  # noqa: B019
    def _suits(self, jokers: int) -> list[int]:
        ranks = range(1 if self.wild else 0, 13)
        masks = (sum(1 << r for r in of) for of in combinations(ranks, 5 - jokers))
        return [mask for mask in masks if self._gain(mask, jokers)]

    @cache  # noqa: B019
    def _gain(self, mask: int, jokers: int) -> int:
        ranks = (*[DEUCE] * jokers, *(r for r in range(13) if mask >> r & 1))
        return self.coins(ranks, True) - self.coins(ranks, False)

    def values(self, masks: Masks) -> list[int]:
        """The coins after each of the 32 holds as a sum over GAMES equally likely draws. Bit i of a hold stands for
        card i, by rank, then by suit."""
        cards = sorted((rank, suit) for suit in range(4) for rank in range(13) if masks[suit] >> rank & 1)
        plain = self.plain_values(tuple(rank for rank, _ in cards))
        return [(plain[hold] + self._suited(cards, hold)) * SCALES[hold] for hold in range(32)]

    def _plain_values(self, ranks: tuple[int, ...]) -> list[int]:
        apart = ([[r for i, r in enumerate(ranks) if hold >> i & 1 == held] for held in (1, 0)] for hold in range(32))
        return [self._by_ranks(*map(tuple, of)) for of in apart]

    def _suited(self, cards: list[tuple[int, int]], hold: int) -> int:
        held = [card for i, card in enumerate(cards) if hold >> i & 1]
        suits = {s for r, s in held if not (self.wild and r == DEUCE)}
        if len(suits) > 1:
            return 0
        gone = [card for i, card in enumerate(cards) if not hold >> i & 1]
        jokers, lost = (sum(self.wild and r == DEUCE for r, _ in of) for of in (held, gone))
        masks = ([self._mask(of, suit) for of in (held, gone)] for suit in suits or range(4))
        return sum(self.of_one_suit(*of, jokers, lost) for of in masks)

    def _mask(self, cards: list[tuple[int, int]], suit: int) -> int:
        return sum(1 << r for r, s in cards if s == suit and not (self.wild and r == DEUCE))

    def solve(self) -> tuple[Fraction, dict[Masks, list[int]]]:
        """The expected coins of best play, and the `values` of each hand up to the names of the suits."""
        found = {masks: self.values(masks) for masks, _ in hands()}
        total = sum(count * max(found[masks]) for masks, count in hands())
        return Fraction(total, GAMES * comb(52, 5)), found
