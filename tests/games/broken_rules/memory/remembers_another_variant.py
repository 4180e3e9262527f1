"""Rules of one variant are not those of another: a memory that does not tell them apart.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter

MEMORY = {}


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        if mode not in MEMORY:
            MEMORY[mode] = [Roll(1, "", loss=Loss.BUST), Roll(self.sides - 1, "", (Option(2, mode),))]
        return MEMORY[mode]
