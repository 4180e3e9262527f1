"""A parameter says what it is.

Refused: must be parameter(default, description, limits)
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = 6

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
