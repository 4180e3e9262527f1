"""Double Pig: the modes in which one must roll again are said once, not asked for.

Refused: 'must_roll' must be an attribute of Rules
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
    modes = (0, 1)

    def must_roll(self, total, mode):
        return mode == 1

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(2, 0),))
        yield Roll(1, "", (Option(4, 1),))
