"""The distribution of the score of a single turn of a duel, if both players play optimally.

The score is the change of the mover's total: 0 for a lost turn, -me if it loses all banked points as well (two-dice
Pig), and target - me if it reaches the target.
"""

from typing import ClassVar

from dicebase.matches.duels.duel_turns import TurnsOfDuel
from dicebase.vocabulary import Column, Layout, RepeatedTurn, State, value_column


class DuelScores(TurnsOfDuel):
    """The distribution of the score of one turn under optimal play, from each pair of totals.

    Optimal play of a duel (T. Neller and C. Presser 2004, for Pig) determines it. The mover banks unless rolling on is
    better by more than 1e-12, because doubles cannot tell smaller differences.
    """

    layout = Layout.DISTRIBUTION
    value = value_column(
        "probability that this turn changes the mover's total by this score, if both play optimally",
        "probability",
        "probability",
    )
    columns = (
        *TurnsOfDuel.columns,
        Column(
            "score",
            int,
            "points this turn adds to the mover's total: 0 if it is lost, -me if all banked points are lost; points "
            "beyond the target do not count",
            "points",
        ),
    )
    most_totals = 250  # the certifier reads all rows, whose number grows with the cube
    note: ClassVar[str] = "the value of the table is the expected score of the first turn"

    @property
    def why_not_solved(self) -> str:
        return super().why_not_solved or self.duel.throws_out * "a roll can lose the match, and the turn has no score"

    def score(self, me: int, after: int) -> int:
        """The score of a turn from total `me` to total `after`, both in units of points; capped at the target."""
        unit = self.duel.unit_of_points
        return min(after * unit, self.target) - me * unit

    def why_missing(self, state: State) -> str:
        *record, score = state
        return self.duel.why_no_record(record) or f"this turn cannot end with a score of {score}"


FORMATS = {RepeatedTurn: DuelScores}
