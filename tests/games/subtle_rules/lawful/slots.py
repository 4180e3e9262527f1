"""Put each roll into a free slot, which multiplies it."""

from dataclasses import dataclass

from dicebase.vocabulary import Scorecard, parameter


# TOP
@dataclass(frozen=True)
class Rules(Scorecard):
    """Made up."""

    slots: int = parameter(2, "slots", low=1, high=5)

    title = "Made up"
    citation = "made up for a test"
    # CLASS

    @property
    def weights(self):
        return {1: 1, 2: 2, 4: 1}

    def gain(self, slot, roll):
        return self._gain(slot, roll)

    def _gain(self, slot, roll):
        return slot * roll + self.slots
