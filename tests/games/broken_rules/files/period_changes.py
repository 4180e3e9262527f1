"""What rules say of themselves is the same each time one asks.

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

    @property
    def modes(self):
        global calls
        calls += 1
        return (0,) if calls < 3 else (0, 1)

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
