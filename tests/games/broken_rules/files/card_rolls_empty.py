"""Rolls are whole numbers in rising order.

Refused: weights:
"""

from dataclasses import dataclass

from dicebase.vocabulary import Scorecard, parameter


@dataclass(frozen=True)
class Rules(Scorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    weights = {}

    def gain(self, slot, roll):
        return slot * roll
