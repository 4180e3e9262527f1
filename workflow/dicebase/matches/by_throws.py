"""Single throws, for the match formats."""

from collections.abc import Hashable, Iterator

from dicebase.matches.targets import Between, OfThrows
from dicebase.vocabulary import Column, Loss, Outcome, State


class ByThrows(OfThrows, Between):
    """A match of single throws: choose how many dice to throw."""

    action_unit = "dice"

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.record_columns

    def afterstate(self, state: State, action: str) -> Hashable:
        return ("throw", state, int(action))

    def outcomes(self, afterstate: Hashable) -> Iterator[Outcome]:
        what, record, *choice = afterstate
        if what == "begin":
            yield Outcome(1, record)
            return
        nothing = Loss.WIPE if self.wipes else Loss.BUST
        for points, weight in self.rules.gains(*choice).items():
            yield Outcome(weight, *self.after_turn(record, points or nothing))
