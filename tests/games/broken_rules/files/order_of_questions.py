"""Rules are the same in whatever order one asks.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


last = 0


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"
    modes = (0, 1)

    def rolls(self, total, mode):
        global last
        before, last = last, mode
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(2 if before < mode else 3, 1 - mode),))
