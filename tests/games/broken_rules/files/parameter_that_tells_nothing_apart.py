"""Variants that differ are different rules.

Refused: must tell variants apart
"""

from dataclasses import dataclass, field

from dicebase.vocabulary import Loss, Option, Roll, Turn


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = field(default=6, compare=False, metadata={"description": "sides of the die", "low": 2, "high": 20})

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
