"""Rules are the same each time one asks: a counter.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


calls = 0


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        global calls
        calls += 1
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(1 if calls < 20 else 1000, mode),))
