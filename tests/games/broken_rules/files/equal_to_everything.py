"""Rules of other parameters are other rules.

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

    def __eq__(self, other):
        return True

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
