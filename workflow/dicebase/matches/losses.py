"""What decisions of people cost on a score sheet, in the mean of a game."""

from typing import ClassVar

from dicebase.matches.sheets import OfSheet
from dicebase.vocabulary import Column, Layout, Sheet, State, worth


class SheetLosses(OfSheet):
    """Points that the decisions of a strategy lose in a game, against the best decision in the same place.

    They add up to what the strategy earns less than the best one; the strategies are those of the distribution.
    """

    layout = Layout.VALUES
    strategies: ClassVar[tuple[str, ...]] = ("greedy", "upper_first")
    columns = (
        Column("strategy", str, "who plays: greedy or upper_first"),
        Column("decision", str, "fill and a box, or keep and how often dice may still be rolled again"),
    )
    value = worth("expected points that such decisions lose in a game", "points")
    more = (worth("expected number of such decisions in a game", "decisions", "times"),)
    note = "the value of the table is what the strategy greedy loses"

    @property
    def decisions(self) -> list[str]:
        """By box, then by rerolls left from 1 on."""
        return [*(f"fill {box}" for box in self.rules.boxes), *(f"keep {n}" for n in range(1, self.rules.rolls))]

    def why_missing(self, state: State) -> str:
        return f"strategies are {', '.join(self.strategies)}, decisions {', '.join(self.decisions)}"


FORMATS = {Sheet: SheetLosses}
