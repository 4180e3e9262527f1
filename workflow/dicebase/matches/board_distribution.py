"""The probability of each outcome of a board under the published policy."""

from functools import cache

from dicebase.matches.board import BesidePositions, for_objective, made
from dicebase.vocabulary import Column, Layout, Objective, State, worth

TAIL = 1e-18
"""If there is no last outcome, list outcomes until the rest has at most this probability."""


class BoardDistribution(BesidePositions):
    """The outcomes of a board for one objective; see `distribution_of`. Rewards must be whole numbers."""

    layout = Layout.DISTRIBUTION
    tabulated_by = certified_by = "boards.distribution"
    value = worth("probability of this outcome", "probability", "probability")
    note = "the value of the table is the expected outcome under optimal play"

    def why_missing(self, state: State) -> str:
        return "this outcome is impossible or almost so"


@cache
def distribution_of(objective: Objective) -> type[BoardDistribution]:
    """Return the match format of an objective: BoardDistribution with its unit."""
    positions = for_objective(objective)
    earned = "sum of rewards from start to end, for the player who moves first"
    doc = f"Probability of each outcome under the policy of {positions.words}."
    return made(BoardDistribution, doc, positions=positions, columns=(Column("outcome", int, earned, objective.unit),))
