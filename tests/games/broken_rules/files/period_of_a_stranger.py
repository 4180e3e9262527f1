"""What rules say of themselves is an attribute of rules.

Refused: 'period' must be an attribute of Rules
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


class Helper:
    """No rules."""

    @property
    def period(self):
        return 2


@dataclass(frozen=True)
class Rules(Helper, Turn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(2, mode),))
