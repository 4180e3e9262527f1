"""Weights are whole numbers from 1.

Refused: a weight is no whole number from 1
"""

from dataclasses import dataclass

from dicebase.vocabulary import Scorecard, parameter


@dataclass(frozen=True)
class Rules(Scorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    weights = {1: 0, 2: 1}

    def gain(self, slot, roll):
        return slot * roll
