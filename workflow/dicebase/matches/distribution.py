"""The final score of a scorecard with multipliers: how likely each score is under three strategies."""

from typing import ClassVar

from dicebase.matches.scorecards import OfMultipliers
from dicebase.vocabulary import Column, Layout, MultiplierScorecard, State, worth

MOST_SLOTS = 14
LEAST = 1e-250
"""Scores less likely than this are not listed."""


class ScoreDistribution(OfMultipliers):
    """The distribution of the final score.

    `optimal` maximises the expected score (a tie goes to the lowest slot), `random` puts each roll on a free slot at
    random, `clairvoyant` knows all rolls before the first is placed (Böcker 2015, sections 2, 5 and 7).
    """

    accepts = MultiplierScorecard
    strategies: ClassVar[tuple[str, ...]] = ("clairvoyant", "optimal", "random")
    layout = Layout.DISTRIBUTION
    value = worth("probability of this final score", "probability", "probability")
    columns = (
        Column("strategy", str, "who places the rolls: clairvoyant, optimal or random"),
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
        return (self.span + 1) * (games.bit_length() + 1) << self.rules.slots >> 3

    def why_missing(self, state: State) -> str:
        if state[0] not in self.strategies:
            return f"strategy is one of {', '.join(self.strategies)}"
        return "no game ends with this score"
