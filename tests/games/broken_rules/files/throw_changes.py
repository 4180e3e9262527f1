"""Throws are the same each time one asks.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Throw, parameter


calls = 0


@dataclass(frozen=True)
class Rules(Throw):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    choices = (1, 2)

    def gains(self, choice):
        global calls
        calls += 1
        return {0: calls, 2 * choice: self.sides - 1}
