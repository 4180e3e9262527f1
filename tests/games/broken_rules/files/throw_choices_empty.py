"""Choices are rising numbers of dice, in a tuple.

Refused: are not rising numbers of dice
"""

from dataclasses import dataclass

from dicebase.vocabulary import Throw, parameter


@dataclass(frozen=True)
class Rules(Throw):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    choices = ()

    def gains(self, choice):
        return {0: 1, 2 * choice: self.sides - 1}
