"""A text is one of its choices.

Refused: needs choices, texts with their meanings, and a default among them
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: str = parameter("six", "sides")

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(2, mode),))
