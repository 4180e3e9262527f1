"""Rules are a dataclass.

Refused: must be a dataclass, @dataclass(frozen=True)
"""

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
