"""Policies against one another on a board of two players."""

from functools import cache

from dicebase.matches.board import BesidePositions, for_objective, made
from dicebase.vocabulary import Column, Layout, Objective, State, worth

OPTIMAL, RANDOM, FIRST_LISTED, BEST_RESPONSE = "optimal", "random", "first_listed", "best_response"
POLICIES = {
    OPTIMAL: "best play against best play, as the table of positions has it",
    RANDOM: "any legal action, all as likely",
    FIRST_LISTED: "the first legal action, in the order of the table",
}


class BoardMatchups(BesidePositions):
    """The pairs of some policies, and the best response to each; see `matchups_of`."""

    layout = Layout.PAIRS
    tabulated_by = certified_by = "boards.matchups"
    value = worth("probability that the row policy wins", "probability", "probability")
    columns = (
        Column("row_policy", str, f"the policy whose probability it is: {', '.join(POLICIES)} or {BEST_RESPONSE}"),
        Column("column_policy", str, "the policy it plays against"),
        Column("first", str, "who begins: row or column"),
    )
    note = f"the value of the table is that of the best response to {OPTIMAL}, moving first, and so of best play"

    @property
    def places(self) -> tuple[Column, ...]:
        """The columns of a position."""
        return self.game.columns

    def why_missing(self, state: State) -> str:
        return f"row_policy is one of {', '.join(POLICIES)}, {BEST_RESPONSE}; first is row or column"


ROWS = sorted((row, column) for row in (*POLICIES, BEST_RESPONSE) for column in POLICIES)
"""The policies of each row."""

PAIRS = sorted({*ROWS, *((column, row) for row, column in ROWS)})
"""The pairs with a value at every position, the mover's policy first."""


@cache
def matchups_of(objective: Objective) -> type[BoardMatchups]:
    """The match format of an objective of two players."""
    positions = for_objective(objective)
    doc = f"Policies against one another, one of them that of {positions.words}."
    return made(BoardMatchups, doc, positions=positions)
