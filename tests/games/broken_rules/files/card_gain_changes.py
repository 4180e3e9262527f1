"""Gains are the same each time one asks.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Scorecard, parameter


calls = 0


@dataclass(frozen=True)
class Rules(Scorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    weights = {1: 1, 2: 1}

    def gain(self, slot, roll):
        global calls
        calls += 1
        return calls
