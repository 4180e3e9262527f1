"""The final score of a scorecard with multipliers: how likely each score is under three strategies."""

from dataclasses import dataclass
from typing import ClassVar

from dicebase.vocabulary.listing import Column, Layout, Listing, State
from dicebase.vocabulary.scorecards import MultiplierScorecard

LEAST = 1e-250
"""Scores less likely than this are not listed."""


@dataclass(frozen=True)
class ScoreDistribution(Listing):
    """The distribution of the final score.

    `optimal` maximises the expected score (a tie goes to the lowest slot), `random` puts each roll on a free slot at
    random, `clairvoyant` knows all rolls before the first is placed (Böcker 2015, sections 2, 5 and 7).
    """

    rules: MultiplierScorecard

    def __post_init__(self) -> None:
        _ = self.rules.factors  # refuses a scorecard whose slots do not multiply

    accepts = MultiplierScorecard
    strategies: ClassVar[tuple[str, ...]] = ("clairvoyant", "optimal", "random")
    layout = Layout.DISTRIBUTION
    value = Column("probability", float, "probability of this final score", "probability")
    columns = (
        Column("strategy", str, "who places the rolls: clairvoyant, optimal or random"),
        Column("score", int, "final score", "points"),
    )
    note = "the value of the table is the expected score of the optimal strategy"

    def why_missing(self, state: State) -> str:
        if state[0] not in self.strategies:
            return f"strategy is one of {', '.join(self.strategies)}"
        return "no game ends with this score"
