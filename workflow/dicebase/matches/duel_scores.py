"""By how much a turn of a duel changes the mover's total under the best play of both: how likely each score is.

A roll that loses the turn scores 0; where one loses all banked points as well (two dice of Pig), it scores -me. The
turn that reaches the target scores target - me.
"""

from typing import ClassVar

from dicebase.matches.duel_turns import TurnsOfDuel
from dicebase.vocabulary import Column, Layout, RepeatedTurn, State, worth


class DuelScores(TurnsOfDuel):
    """Turns of the best alternate play: how likely each score of one is, from each pair of totals.

    The distribution that the best play of a duel (T. Neller and C. Presser 2004, for Pig) gives a single turn. The
    mover banks unless rolling on is better by more than 1e-12, the least that doubles tell apart.
    """

    layout = Layout.DISTRIBUTION
    value = worth(
        "probability that this turn changes the mover's total by this score, under best play of both",
        "probability",
        "probability",
    )
    columns = (
        *TurnsOfDuel.columns,
        Column(
            "score",
            int,
            "what this turn adds to the mover's total: 0 if it is lost, -me if all banked points are; those beyond the "
            "target are not counted",
            "points",
        ),
    )
    most_totals = 250  # rows are half of the cube at the most; the certifier reads all of them
    note: ClassVar[str] = "the value of the table is the expected score of the first turn"

    @property
    def why_not_solved(self) -> str:
        return super().why_not_solved or self.duel.throws_out * "a roll can lose the match: such a turn has no score"

    def score(self, me: int, after: int) -> int:
        """Of a turn that leads from `me` to `after`, both in units of points: points up to the target."""
        unit = self.duel.unit_of_points
        return min(after * unit, self.target) - me * unit

    def why_missing(self, state: State) -> str:
        *record, score = state
        return self.duel.why_no_record(record) or f"this turn never ends with a score of {score}"


FORMATS = {RepeatedTurn: DuelScores}
