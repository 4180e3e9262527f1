"""Rules are the same each time one asks: a counter of its own.

Refused: asked again the rules say something else
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

    def rolls(self, total, mode):
        object.__setattr__(self, "_calls", getattr(self, "_calls", 0) + 1)
        yield Roll(self._calls, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(1, mode),))
