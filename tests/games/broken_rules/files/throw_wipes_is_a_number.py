"""wipes is True or False.

Refused: wipes: 1 is no bool
"""

from dataclasses import dataclass

from dicebase.vocabulary import Throw, parameter


@dataclass(frozen=True)
class Rules(Throw):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    choices = (1, 2)
    wipes = 1

    def gains(self, choice):
        return {0: 1, 2 * choice: self.sides - 1}
