"""`rolls` is a method of rules.

Refused: 'rolls' must be a method of Rules
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


class Helper:
    """No rules."""

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(1 if total < 20 else 1000, mode),))


@dataclass(frozen=True)
class Rules(Helper, Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"
