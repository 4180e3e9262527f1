"""Statistics of the turns of a duel under optimal play, for each pair of totals at the start of a turn."""

from typing import ClassVar

from dicebase.matches.duels.duel import Duel, DuelListing, DuelOfTurns
from dicebase.vocabulary import Layout, RepeatedTurn, State, value_column


class TurnsOfDuel(DuelListing):
    """A listing by pairs of totals at the start of a turn, if both play optimally."""

    match = DuelOfTurns
    columns = Duel.record_columns
    most_totals: ClassVar[int] = 400  # the ends of all turns take 8 bytes times the cube of this

    @property
    def why_not_solved(self) -> str:
        size = self.duel.totals
        too_many = f"target: {self.target} has {size} totals; at most {self.most_totals} are solved"
        otherwise = self.duel.why_not_solved or (self.duel.why_not_answered if self.duel.past else "")
        return otherwise or (too_many if size > self.most_totals else "")

    bytes = property(lambda self: 10 * self.duel.totals**3)

    def why_missing(self, state: State) -> str:
        return self.duel.why_no_record(state)


class DuelTurns(TurnsOfDuel):
    """Turns under optimal play: the number still to come, the probability of losing one, the points banked."""

    layout = Layout.VALUES
    value = Duel.value
    more = (
        value_column("expected number of turns in the rest of the match, including this one", "turns", "turns"),
        value_column("probability that this turn is lost", "probability", "lost"),
        value_column("expected points that this turn banks; points beyond the target do not count", "points", "points"),
    )


FORMATS = {RepeatedTurn: DuelTurns}
