"""The distribution of the final score of a multiplier scorecard or a score sheet, and of the final hand of a draw."""

from typing import ClassVar

from dicebase.matches.deals.draws import DrawDistribution
from dicebase.matches.sheets.scorecards import MultiplierListing
from dicebase.matches.sheets.sheets import SheetListing
from dicebase.vocabulary import Column, Draw, Layout, MultiplierScorecard, Sheet, State, value_column

MOST_SLOTS = 14


class ScoreDistribution(MultiplierListing):
    """The distribution of the final score.

    `optimal` maximises the expected score (a tie goes to the lowest slot), `random` puts each roll on a random free
    slot, and `clairvoyant` knows all rolls before the first is placed (Böcker 2015, sections 2, 5 and 7).
    """

    strategies: ClassVar[tuple[str, ...]] = ("clairvoyant", "optimal", "random")
    layout = Layout.DISTRIBUTION
    value = value_column("probability of this final score", "probability", "probability")
    columns = (
        Column("strategy", str, "strategy that places the rolls: clairvoyant, optimal or random"),
        Column("score", int, "final score", "points"),
    )
    note = "the value of the table is the expected score of the optimal strategy"

    @property
    def why_not_solved(self) -> str:
        many = f"slots: {self.rules.slots} slots; the exact distribution is solved for up to {MOST_SLOTS}"
        return many if self.rules.slots > MOST_SLOTS else super().why_not_solved

    @property
    def bytes(self) -> int:
        games = sum(self.rules.weights.values()) ** self.rules.slots
        return (self.rules.spread + 1) * (games.bit_length() + 1) << self.rules.slots >> 3

    def why_missing(self, state: State) -> str:
        if state[0] not in self.strategies:
            return f"strategy must be one of {', '.join(self.strategies)}"
        return "no game ends with this score"


class SheetDistribution(SheetListing):
    """The distribution of the final score of a score sheet, by strategy.

    Each strategy has its own score for filling a box, and maximises its expectation in each turn. Among actions within
    1e-9 of the best it takes the first: boxes in the order of the sheet, kept dice with more dice first.
    """

    strategies: ClassVar[tuple[str, ...]] = ("greedy", "optimal", "upper_first")
    layout = Layout.DISTRIBUTION
    rules_of_play = (
        "`optimal` maximises the expected score; `greedy` the points of each turn, bonuses included; `upper_first`, "
        "while an upper box is open, the points there minus the box's share of the upper bonus threshold (three dice "
        "of its face), then the points of each turn."
    )
    value = ScoreDistribution.value
    columns = (
        Column("strategy", str, "strategy of the player: greedy, optimal or upper_first"),
        ScoreDistribution.columns[1],
    )
    note = ScoreDistribution.note

    bytes = property(lambda self: 3200 * self.starts)

    why_missing = ScoreDistribution.why_missing


FORMATS = {MultiplierScorecard: ScoreDistribution, Sheet: SheetDistribution, Draw: DrawDistribution}
