"""Policies against one another on a board for two players."""

from functools import cache
from typing import ClassVar

from dicebase.matches.boards.board import BoardListing, derive_format, for_objective
from dicebase.vocabulary import Column, Layout, Objective, State, value_column

OPTIMAL, RANDOM, FIRST_LISTED, BEST_RESPONSE = "optimal", "random", "first_listed", "best_response"
POLICIES = {
    OPTIMAL: "optimal play against optimal play, as in the table of positions",
    RANDOM: "a uniformly random legal action",
    FIRST_LISTED: "the first legal action, in the order of the table",
}


class BoardMatchups(BoardListing):
    """The pairs of policies, and the best response to each policy; see `matchups_of`."""

    layout = Layout.PAIRS
    tabulated_by = certified_by = "boards.matchups"
    total: ClassVar[int]  # the sum of both players' values: 1 for probabilities of winning, 0 for points
    columns = (
        Column("row_policy", str, f"policy whose value it is: {', '.join(POLICIES)} or {BEST_RESPONSE}"),
        Column("column_policy", str, "policy it plays against"),
        Column("first", str, "player who moves first: row or column"),
    )
    note = f"the value of the table is that of the best response to {OPTIMAL}, moving first: the value of the game"

    @property
    def places(self) -> tuple[Column, ...]:
        """The columns of a position."""
        return self.game.columns

    def why_missing(self, state: State) -> str:
        return f"row_policy must be one of {', '.join(POLICIES)}, {BEST_RESPONSE}; first must be row or column"


ROWS = sorted((row, column) for row in (*POLICIES, BEST_RESPONSE) for column in POLICIES)
"""The pairs of policies in the table's rows."""

PAIRS = sorted({*ROWS, *((column, row) for row, column in ROWS)})
"""The pairs with a value at every position; the mover's policy comes first."""


@cache
def matchups_of(objective: Objective) -> type[BoardMatchups]:
    """Return the match format of an objective for two players."""
    positions = for_objective(objective)
    doc = f"Policies against one another, including the policy of {positions.words}."
    total, value = 1, value_column("probability that the row policy wins", "probability", "probability")
    if objective.unit != "probability":
        total, value = 0, value_column(f"what the row policy wins: {objective.words}", objective.unit)
    return derive_format(BoardMatchups, doc, positions=positions, total=total, value=value)
