"""How likely each outcome is, where the published policy is followed."""

from functools import cache

from dicebase.matches.board import BesidePositions, for_objective, made
from dicebase.vocabulary import Column, Layout, Objective, State, worth

TAIL = 1e-18
"""Where no outcome is the last, those are not listed that come when all others have come but for this chance."""


class BoardDistribution(BesidePositions):
    """The outcomes of a board for one of its objectives; see `distribution_of`. Rewards must be whole numbers."""

    layout = Layout.DISTRIBUTION
    tabulated_by = certified_by = "boards.distribution"
    value = worth("probability of this outcome", "probability", "probability")
    note = "the value of the table is the expected outcome, that of best play"

    def why_missing(self, state: State) -> str:
        return "no play has this outcome, or nearly none"


@cache
def distribution_of(objective: Objective) -> type[BoardDistribution]:
    """The match format of an objective: BoardDistribution with its unit."""
    positions = for_objective(objective)
    earned = "what the rules pay from the start to the end, for or against who moves first"
    doc = f"How likely each outcome is under the policy of {positions.words}."
    return made(BoardDistribution, doc, positions=positions, columns=(Column("outcome", int, earned, objective.unit),))
