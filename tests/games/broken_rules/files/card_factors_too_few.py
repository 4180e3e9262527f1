"""There is a factor for each slot.

Refused: factors: are not one whole number a slot, never falling
"""

from dataclasses import dataclass

from dicebase.vocabulary import MultiplierScorecard, parameter


@dataclass(frozen=True)
class Rules(MultiplierScorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    weights = {1: 1, 2: 1}
    factors = (2,)

    def gain(self, slot, roll):
        return roll
