"""Hog: throw as many dice as you like, up to a limit; if one of them shows a 1, the throw scores nothing.

In a harsher variant, a 1 also loses the points of all earlier throws.
"""

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from dicebase.vocabulary import Throw, parameter, sums


@dataclass(frozen=True)
class Rules(Throw):
    """One throw of the two-person dice game of Tijms & van der Wal (section 2; variant 3 of section 5)."""

    sides: int = parameter(6, "sides of each die, numbered from 1", low=2, high=100)
    max_dice: int = parameter(10, "D: largest number of dice in one throw", low=1, high=60)
    on_one: str = parameter(
        "nothing",
        "what a 1 costs: nothing is scored, or all points are lost",
        choices={"nothing": "the throw scores nothing", "all": "all points are lost"},
        only=("duel", "duel_matchups", "simultaneous"),
    )

    title = "Hog"
    citation = "H. Tijms and J. van der Wal (2005), Dynamic Programming in Real Life: A Two-Person Dice Game"
    defaults = MappingProxyType({"target": 40})  # as in the tables of the paper

    @property
    def choices(self) -> tuple[int, ...]:
        return tuple(range(1, self.max_dice + 1))

    @property
    def wipes(self) -> bool:
        return self.on_one == "all"

    def gains(self, choice: int) -> dict[int, int]:
        return self._gains[choice]

    @cached_property
    def _gains(self) -> dict[int, dict[int, int]]:
        # Without a 1, each die shows 2 to `sides`: one more than a die with one side fewer.
        return {
            dice: {0: self.sides**dice - (self.sides - 1) ** dice}
            | {thrown + dice: weight for thrown, weight in sums(self.sides - 1, dice).items()}
            for dice in self.choices
        }
