"""Rules are of one family.

Refused: must be a Turn, a Throw, a Scorecard, a Sheet or a Board, and one of them alone
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Throw, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn, Throw):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
