"""Ladder: climb one rung per roll; a 1 throws you off."""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter


@dataclass(frozen=True)
class Rules(Turn):
    """One climb. Every roll except a 1 gains the points of one rung; a 1 loses all of them."""

    sides: int = parameter(6, "sides of the die, numbered from 1", low=2, high=100)
    rung: int = parameter(10, "points of one rung", low=1, high=1000)

    title = "Ladder"
    citation = "A game made up for a test; its value is a closed form"
    stop = "jump off"
    total = "height"

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        yield Roll(1, "1", loss=Loss.BUST)
        yield Roll(self.sides - 1, "", (Option(self.rung, mode),))

    def why_missing(self, total: int, dice: str | None = None) -> str:
        return f"there is a rung every {self.rung} points" if total % self.rung else super().why_missing(total, dice)
