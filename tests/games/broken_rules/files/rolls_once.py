"""An iterator that is used up is no answer.

Refused: asked again the rules say something else
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


ONCE = iter([Roll(1, "", loss=Loss.BUST), Roll(9, "", (Option(2, 0),))])


@dataclass(frozen=True)
class Rules(Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        return ONCE
