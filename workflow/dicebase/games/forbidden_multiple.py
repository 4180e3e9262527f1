"""The forbidden multiple: roll and add as long as you like; a total that is a multiple of N loses everything."""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Loss, Option, Roll, Turn, parameter, sums


@dataclass(frozen=True)
class Rules(Turn):
    """The game of "Rolling Dice Game and Value Functions": stop at a total to score it."""

    multiple: int = parameter(10, "N: reaching a positive multiple of N loses everything", low=2, high=1000)
    sides: int = parameter(6, "sides of each die, numbered from 1", low=2, high=100)
    dice: int = parameter(1, "dice thrown at once; their sum is added", low=1, high=2)

    title = "The forbidden multiple"
    citation = "Rolling Dice Game and Value Functions (web article, the game with a forbidden multiple of 10)"
    stop = "stop"
    total = "total"

    @property
    def period(self) -> int:
        return self.multiple

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        for thrown, weight in sums(self.sides, self.dice).items():
            if (total + thrown) % self.multiple == 0:
                yield Roll(weight, "", loss=Loss.BUST)
            else:
                yield Roll(weight, "", (Option(thrown, mode),))

    def why_missing(self, total: int, dice: str | None = None) -> str:
        if total > 0 and total % self.multiple == 0:
            return f"{total} is a multiple of {self.multiple}: the game is lost, there is nothing to decide"
        return super().why_missing(total, dice)
