"""Turns that are played again and again do not depend on the turn total.

Refused: period: rolls of a RepeatedTurn do not depend on totals
"""

from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, RepeatedTurn, Roll, parameter


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """Made up."""

    sides: int = parameter(6, "sides of the die", low=2, high=20)

    title = "Made up"
    citation = "made up for a test"
    stop = "hold"
    period = 4

    def rolls(self, total, mode):
        yield Roll(1, "", loss=Loss.BUST)
        yield Roll(9, "", (Option(1 + total % 4, mode),))
