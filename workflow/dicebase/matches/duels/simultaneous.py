"""A race of two players who choose throws at once; the first to reach the target wins."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from dicebase.matches.turns.targets import TargetRecords, ThrowTotals
from dicebase.vocabulary import AnsweredBy, Column, Controller, Game, Outcome, State, Throw, parameter, value_column


@dataclass(frozen=True)
class SimultaneousRace(ThrowTotals, TargetRecords, Game):
    """Simultaneous throws to a target with known totals (section 4 of Tijms & van der Wal for Hog, equation (1))."""

    rules: Throw
    target: int = parameter(40, "points that end the match", low=1, high=1000)

    rules_of_play = (
        "In each round both players choose a throw, and both gains are added. The match ends when a player has reached "
        "the target; the larger total then wins, and equal totals are a draw."
    )
    answered_by = AnsweredBy("simultaneous", ("target",))
    certified_by = "throws.simultaneous"
    action_unit = "dice"
    value = value_column(
        "probability that the row player (me) wins minus probability of losing, if both mix optimally",
        "P(win) - P(lose)",
    )
    columns = (
        Column("me", int, "points of the player whose actions are listed", "points"),
        Column("opponent", int, "points of the other player", "points"),
    )
    record_columns = columns
    more = (Column("unique", bool, "whether the optimal mixes of both players are unique, by a margin of 1e-10"),)

    @property
    def bytes(self) -> int:
        return 30 * len(self.rules.choices) * (self.totals + max(map(max, self.gains))) ** 2

    def controller(self, state: State) -> Controller:
        return Controller.BOTH

    def afterstate(self, state: State, action: tuple[str, str]) -> Hashable:
        return ("throw", state, tuple(map(int, action)))

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        what, state, *choices = afterstate
        if what == "begin":
            yield Outcome(1, state)
            return
        mine, theirs = (self.rules.gains(choice) for choice in choices[0])
        for gain, weight in mine.items():
            me = self._after(state[0], gain)
            for other_gain, other_weight in theirs.items():
                opponent = self._after(state[1], other_gain)
                if max(me, opponent) >= self.target:
                    yield Outcome(weight * other_weight, None, (me > opponent) - (me < opponent))
                else:
                    yield Outcome(weight * other_weight, (me, opponent))

    def _after(self, points: int, gain: int) -> int:
        return points + gain if gain or not self.wipes else 0


FORMATS = {Throw: SimultaneousRace}
