"""The probability of each outcome of a board under the published policy."""

from dataclasses import replace
from functools import cache, cached_property
from typing import ClassVar

from dicebase.matches.boards.board import BoardGame, BoardListing, derive_format, for_objective
from dicebase.vocabulary import Column, Layout, Objective, State, value_column

TAIL = 1e-18
"""If there is no last outcome, list outcomes until the rest has at most this probability."""


class BoardDistribution(BoardListing):
    """The outcomes of a board for one objective; see `distribution_of`. Rewards must be multiples of 1 over its
    denominator."""

    layout = Layout.DISTRIBUTION
    tabulated_by = certified_by = "boards.distribution"
    denominator: ClassVar[int]
    value = value_column("probability of this outcome", "probability", "probability")
    note = "the value of the table is the expected outcome under optimal play"

    @cached_property
    def game(self) -> BoardGame:
        """The board's positions, with whole rewards."""
        return self.positions(replace(self.rules, reward_factor=self.denominator))

    def why_missing(self, state: State) -> str:
        return "this outcome is impossible or almost so"


@cache
def distribution_of(objective: Objective) -> type[BoardDistribution]:
    """Return the match format for an objective: BoardDistribution with the objective's unit."""
    positions = for_objective(objective)
    earned = "sum of rewards from start to end, for the player who moves first"
    doc = f"Probability of each outcome under the policy of {positions.words}."
    part = f"1/{objective.denominator} " * (objective.denominator > 1)
    columns = (Column("outcome", int, earned, f"{part}{objective.unit}"),)
    return derive_format(
        BoardDistribution, doc, positions=positions, columns=columns, denominator=objective.denominator
    )
