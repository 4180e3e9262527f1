"""The total's column has a name of its own, in small letters.

Refused: cannot be the name of a column
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
    total = "Total"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
