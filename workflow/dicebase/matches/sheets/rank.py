"""The slot for the next roll on a multiplier scorecard, for any multipliers."""

from dicebase.matches.sheets.scorecards import MultiplierListing
from dicebase.vocabulary import Column, Layout, MultiplierScorecard, State, value_column


class ExpectedRolls(MultiplierListing):
    """The expected roll on each free slot, in rising order of multipliers.

    With j + 1 free slots, roll x goes to the i-th free slot if E_j[i - 1] <= x <= E_j[i] (Böcker 2015, section 6).
    """

    layout = Layout.VALUES
    value = value_column("E_j[i]: expected roll that the optimal strategy puts on the i-th of j free slots", "points")
    columns = (
        Column("free_slots", int, "j: number of free slots"),
        Column("rank", int, "i: rank of the free slot, counted from the smallest multiplier"),
    )
    note = "the value of the table is the expected score with multipliers 1 to n"

    def why_missing(self, state: State) -> str:
        return f"free_slots must be from 1 to {self.rules.slots}, and rank from 1 to free_slots"


FORMATS = {MultiplierScorecard: ExpectedRolls}
