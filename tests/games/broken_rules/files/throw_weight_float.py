"""Weights are whole numbers from 1.

Refused: a weight is no whole number from 1
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

    def gains(self, choice):
        return {0: 1, 2: 0.5}
