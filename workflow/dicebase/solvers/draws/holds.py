"""All holds of all hands of a draw game, in integers: sums over final hands, and the best hold."""

from fractions import Fraction
from functools import cached_property

import numpy as np

from dicebase.vocabulary import HOLDS, Draw
from dicebase.vocabulary.dice_and_cards.hand_classes import HandClasses, signs


class Holds:
    """The holds of a draw game; `classes` has the sets of cards, and hands are its classes of five cards."""

    def __init__(self, rules: Draw) -> None:
        self.classes = classes = HandClasses(rules.ranks)
        self.names = list(rules.payouts)
        self.coins = np.array([*rules.payouts.values()])
        self.rank = classes.ranked(rules.rank, self.names)
        self.held = np.array([hold.bit_count() for hold in HOLDS])  # cards held

    @cached_property
    def paid(self) -> np.ndarray:
        """S of the coins paid, (classes,)."""
        return self.classes.sums(self.coins[self.rank])

    @cached_property
    def values(self) -> np.ndarray:
        """The coins paid after each hold times `classes.common`, summed over equally likely draws, (hands, 32)."""
        return self.classes.values(self.paid)

    @cached_property
    def best(self) -> np.ndarray:
        """The hold that the policy takes, an index into HOLDS, (hands,)."""
        return self.values.argmax(axis=1)

    @property
    def games(self) -> int:
        """The number of equally likely ends of a game."""
        return int(self.classes.deals[self.classes.hands].sum()) * self.classes.common

    def moment(self, power: int) -> Fraction:
        """Return the mean of a power of the expected coins of a hand."""
        values = self.values[np.arange(len(self.best)), self.best].tolist()
        deals = self.classes.deals[self.classes.hands].tolist()
        total = sum(n * value**power for n, value in zip(deals, values, strict=True))
        return Fraction(total, self.games * self.classes.common ** (power - 1))

    @cached_property
    def ends(self) -> list[int]:
        """The number of equally likely ends of a game with each rank of `names`."""
        classes, coefficients, ends = self.classes, signs(), [0] * len(self.names)
        of_rank = [classes.sums(self.rank == rank) for rank in range(len(ends))]
        for held, draws in enumerate(classes.draws.tolist()):
            here = np.flatnonzero(self.held[self.best] == held)
            weights = classes.deals[classes.hands[here], np.newaxis] * coefficients[self.best[here]]
            factor = np.bincount(classes.kept[here].ravel(), weights.ravel(), len(classes.sets)).astype(np.int64)
            scale = classes.common // draws
            ends = [many + int(factor @ sums) * scale for many, sums in zip(ends, of_rank, strict=True)]
        return ends
