"""One keeps dice of the roll.

Refused: keeps dice that are none of it
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
    keeps = True
    modes = (2, 1)

    def rolls(self, total, mode):
        if mode == 1:
            yield Roll(1, "1", loss=Loss.BUST)
            yield Roll(1, "2", (Option(5, 2, "2"),))
        else:
            yield Roll(1, "11", loss=Loss.BUST)
            yield Roll(9, "12", (Option(5, 1, "3"),))
