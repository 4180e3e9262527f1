"""The expected cost of human strategies' decisions in a game on a score sheet."""

from typing import ClassVar

from dicebase.matches.sheets.sheets import SheetListing
from dicebase.vocabulary import Column, Layout, Sheet, State, value_column


class SheetLosses(SheetListing):
    """Points that a strategy's decisions lose per game, compared with the best decision in the same position.

    They add up to the optimal expected score minus the strategy's. The distribution table has the same strategies.
    """

    layout = Layout.VALUES
    strategies: ClassVar[tuple[str, ...]] = ("greedy", "upper_first")
    columns = (
        Column("strategy", str, "strategy of the player: greedy or upper_first"),
        Column("decision", str, "fill and a box, or keep and the number of rerolls left"),
    )
    value = value_column("expected points per game that such decisions lose", "points")
    more = (value_column("expected number of such decisions per game", "decisions", "times"),)
    note = "the value of the table is the loss of the strategy greedy"

    @property
    def decisions(self) -> list[str]:
        """The kinds of decisions: filling each box, in order, then keeping dice with 1, 2, ... rerolls left."""
        return [*(f"fill {box}" for box in self.rules.boxes), *(f"keep {n}" for n in range(1, self.rules.rolls))]

    def why_missing(self, state: State) -> str:
        return f"strategies are {', '.join(self.strategies)}, decisions {', '.join(self.decisions)}"


FORMATS = {Sheet: SheetLosses}
