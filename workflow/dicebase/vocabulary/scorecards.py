"""The rules of a scorecard: games that are no turn in a match."""

from __future__ import annotations

from abc import abstractmethod

from dicebase.vocabulary.rulebook import Rulebook


class Scorecard(Rulebook):
    """One roll at a time is put into a free slot, until all slots are filled; the slots' scores add up."""

    family = "scorecards"

    slots: int

    @property
    @abstractmethod
    def weights(self) -> dict[int, int]:
        """{roll: weight}, in rising order of rolls; the weights are positive integers."""

    @abstractmethod
    def gain(self, slot: int, roll: int) -> int:
        """What a slot, 1 to `slots`, scores for a roll."""


class MultiplierScorecard(Scorecard):
    """A scorecard whose slots multiply: slot i scores factors[i - 1] times the roll; the factors never fall."""

    factors: tuple[int, ...]
    multiplies: bool = True  # False where slots score in another way after all: such a card has no factors

    def gain(self, slot: int, roll: int) -> int:
        return self.factors[slot - 1] * roll
