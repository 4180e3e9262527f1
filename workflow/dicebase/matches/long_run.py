"""Turn after turn without an end: the most points a turn in the long run.

Where lost turns in a row cost points a turn is not played for its own sake: the more of them there were, the more a
further one costs. Play begins anew whenever that count is 0 again; what is earned in between, less the mean for each
turn, is what a position is worth beside such a beginning.
"""

from __future__ import annotations

from copy import copy
from types import MappingProxyType

from dicebase.matches.turn import BestTurn
from dicebase.vocabulary import Column, Continuation, Layout, Listing, Loss, RepeatedTurn, State, worth


class LongRun(Listing):
    """Maximise the points a turn in the long run."""

    rules_of_play = (
        "Turns follow one another for ever. Lost turns in a row cost points where the rules say so; a turn that is "
        "banked, or the last loss that they name, ends the row."
    )
    layout = Layout.DECISIONS
    defaults = MappingProxyType({"lost": 0})
    value = worth(
        "expected points of this turn and, once it is lost, of the rest of the row, less the mean of each further turn",
        "points",
    )

    def __init__(self, rules: RepeatedTurn) -> None:
        self.rules, self.turn = rules, BestTurn(rules)
        lost = Column("lost", int, "lost turns in a row before this one", "turns")
        total = Column("turn_total", int, "points of this turn, not banked yet", "points")
        hand = rules.keeps or len(rules.modes) > 1
        self.columns = (lost, total, *((Column("dice", int, "dice in the hand"),) if hand else ()))

    @property
    def why_not_solved(self) -> str:
        rolls = (roll for mode in self.rules.modes for roll in self.rules.rolls(0, mode))
        ends = any(r.loss in (Loss.WIPE, Loss.OUT) for r in rolls)
        return "a roll can take what is banked, of which no long run is left" * ends

    @property
    def costs(self) -> tuple[int, ...]:
        """What the first, the second ... lost turn in a row costs, in points; after the last the row begins anew."""
        return self.rules.lost_in_row or (0,)

    @property
    def continuation(self) -> Continuation | None:
        """What a turn is worth beyond the last total, where a lost one costs nothing."""
        return self.turn.continuation

    @property
    def note(self) -> str:
        return f"totals are stored to {self.turn.last}" if self.continuation else ""

    def with_continuation(self, continuation: Continuation) -> LongRun:
        told = copy(self)
        told.turn = self.turn.with_continuation(continuation)
        return told

    def actions(self, state: State) -> tuple[str, ...]:
        """What may be done."""
        _, total, mode = (*state, self.rules.modes[0])[:3]
        return (self.rules.stop, "roll") if self.rules.may_stop(total, mode) else ("roll",)

    def why_missing(self, state: State) -> str:
        lost, total, *_ = state
        if not 0 <= lost < len(self.costs):
            return f"lost is from 0 to {len(self.costs) - 1}"
        if self.continuation and total > self.turn.last:
            return f"{self.note}; beyond them the policy does not depend on the total"
        return "no turn comes to this position"


FORMATS = {RepeatedTurn: LongRun}
