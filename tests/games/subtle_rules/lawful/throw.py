"""Throw one die or two; a 1 scores nothing."""

from dataclasses import dataclass
from functools import cache  # noqa: F401

from dicebase.vocabulary import Throw, parameter


# TOP
@dataclass(frozen=True)
class Rules(Throw):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    choices = (1, 2)
    # CLASS

    def gains(self, choice):
        return self._gains(choice)

    def _gains(self, choice):
        return {0: choice, 2 * choice: self.sides - 1}
