"""Maximise the points per turn in an endless sequence of turns (average reward).

If lost turns in a row cost points, a turn cannot be optimised by itself: the longer the row, the more the next loss
costs. Play is regenerative at the start of each row (Howard 1960): the relative value of a position is the points
earned until the row ends, minus the long-run mean for each turn.
"""

from __future__ import annotations

from copy import copy
from types import MappingProxyType

from dicebase.matches.turns.turn import BestTurn
from dicebase.vocabulary import Column, Continuation, Layout, Listing, Loss, RepeatedTurn, State, value_column


class LongRun(Listing):
    """Maximise the points per turn in the long run."""

    rules_of_play = (
        "Turns follow one another forever. Lost turns in a row cost points if the rules say so; a banked turn, or the "
        "last loss with a cost, ends the row."
    )
    layout = Layout.DECISIONS
    defaults = MappingProxyType({"lost": 0})
    value = value_column(
        "expected points of this turn and, if it is lost, of the rest of the row, minus the mean for each further turn",
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
        return "a roll can lose banked points, so there is no long-run mean" * ends

    @property
    def costs(self) -> tuple[int, ...]:
        """The cost of the first, second ... lost turn in a row, in points; after the last one the row restarts."""
        return self.rules.lost_in_row or (0,)

    @property
    def continuation(self) -> Continuation | None:
        """The value of a turn beyond the last total, if lost turns cost nothing."""
        return self.turn.continuation

    @property
    def note(self) -> str:
        return f"totals are stored to {self.turn.last}" if self.continuation else ""

    def with_continuation(self, continuation: Continuation) -> LongRun:
        told = copy(self)
        told.turn = self.turn.with_continuation(continuation)
        return told

    def actions(self, state: State) -> tuple[str, ...]:
        """The legal actions."""
        _, total, mode = (*state, self.rules.modes[0])[:3]
        return (self.rules.stop, "roll") if self.rules.may_stop(total, mode) else ("roll",)

    def why_missing(self, state: State) -> str:
        lost, total, *_ = state
        if not 0 <= lost < len(self.costs):
            return f"lost must be from 0 to {len(self.costs) - 1}"
        if self.continuation and total > self.turn.last:
            return f"{self.note}; beyond them the policy does not depend on the total"
        return "no turn reaches this position"


FORMATS = {RepeatedTurn: LongRun}
