"""Rules look up their attributes as Python does.

Refused: must do what Python's dataclasses do
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
