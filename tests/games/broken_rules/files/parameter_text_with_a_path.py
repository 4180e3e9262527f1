"""A choice is part of the name of a file.

Refused: needs choices, texts with their meanings
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: str = parameter("../../x", "sides of the die", choices={"../../x": "a path"})

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(5, "", (Option(2, mode),))
