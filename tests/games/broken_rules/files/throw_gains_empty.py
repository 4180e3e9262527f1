"""Gains are whole numbers from 0, in rising order.

Refused: is no dict of whole numbers from 0, in rising order
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
        return {}
