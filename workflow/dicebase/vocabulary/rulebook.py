"""What the rules of every game say of themselves, and the rules of throws and of scorecards; turns.py has turns."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar


class Rulebook(ABC):
    """What the rules of every game say of themselves."""

    family: ClassVar[str]  # turns, throws or scorecards: the folder of its solvers, rows and checks
    title: ClassVar[str]
    citation: ClassVar[str]
    # Of a match format's parameters, where the game is known by another value.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})


class Throw(Rulebook):
    """The rules of a turn of one decision: choose a throw, and what falls is banked."""

    family = "throws"

    choices: tuple[int, ...]  # how many dice one may throw
    wipes: bool = False  # whether a throw of nothing loses the points banked before as well

    @abstractmethod
    def gains(self, choice: int) -> dict[int, int]:
        """{points gained: weight} of a throw, in rising order; 0 is a throw of nothing, which may happen and must
        not be certain."""


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
