"""What the turns of a duel come to under the best play of both: for each pair of totals at the start of a turn."""

from typing import ClassVar

from dicebase.matches.duel import Duel, DuelOfTurns, OfDuel
from dicebase.vocabulary import Layout, RepeatedTurn, State, worth


class TurnsOfDuel(OfDuel):
    """What is listed by the pairs of totals at the start of a turn of the best alternate play."""

    match = DuelOfTurns
    columns = Duel.record_columns
    most_totals: ClassVar[int] = 400  # the ends of all turns are kept: 8 bytes times the cube

    @property
    def why_not_solved(self) -> str:
        size = self.duel.totals
        too_many = f"target: {self.target} has {size} totals; at most {self.most_totals} are played out"
        otherwise = self.duel.why_not_solved or (self.duel.why_not_answered if self.duel.past else "")
        return otherwise or (too_many if size > self.most_totals else "")

    @property
    def bytes(self) -> int:
        return 10 * self.duel.totals**3

    def why_missing(self, state: State) -> str:
        return self.duel.why_no_record(state)


class DuelTurns(TurnsOfDuel):
    """Turns of the best alternate play: how many are to come, how often one is lost, what one banks."""

    layout = Layout.VALUES
    value = Duel.value
    more = (
        worth("expected number of turns of the rest of the match, this one included", "turns", "turns"),
        worth("probability that this turn is lost", "probability", "lost"),
        worth("expected points that this turn banks; those beyond the target are not counted", "points", "points"),
    )


FORMATS = {RepeatedTurn: DuelTurns}
