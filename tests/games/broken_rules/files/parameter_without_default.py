"""A parameter has a default.

Refused: needs choices, texts with their meanings, and a default among them
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(None, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(2, mode),))
