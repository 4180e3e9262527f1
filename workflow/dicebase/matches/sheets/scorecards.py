"""Common parts of listings of scorecards, including decisions that follow from stored values.

A table stores the value before the roll, by the set of free slots and, if needed, points. Placing a roll in a slot
leaves the other slots free, so a q-value is one stored number plus the slot's score.
"""

from dataclasses import dataclass
from typing import ClassVar

from dicebase.vocabulary import Column, Layout, Listing, MultiplierScorecard, Scorecard, State

FREE = Column("free", int, "free slots: bit i - 1 is set if slot i is free")
ROLL = Column("roll_total", int, "the roll to place", "points")


@dataclass(frozen=True)
class FollowedPlacements(Listing):
    """Values by (free, ...) from which the decision for each roll follows; rows not stored have value 0."""

    rules: Scorecard

    layout = Layout.FOLLOWED
    state_columns: ClassVar[tuple[Column, ...]]  # of a position: the stored columns and the roll
    # The stored column of points beside `free`, if any; a gain is added to it (`step` 1) or subtracted (-1). With
    # `enough` the value is 1 if less than one point is left.
    points: ClassVar[str] = ""
    step: ClassVar[int] = 0
    enough: ClassVar[bool] = False
    every: ClassVar[bool] = True  # all cards are listed
    gains: ClassVar[bool] = False  # whether the value includes the slot's score

    def why_missing(self, state: State) -> str:
        free, roll = state[0], state[-1]
        if not 0 < free < 1 << self.rules.slots:
            return f"free must be from 1 to {(1 << self.rules.slots) - 1} with {self.rules.slots} slots"
        if len(state) > len(self.columns) and roll not in self.rules.weights:
            return f"a roll of {roll} cannot occur: rolls are {', '.join(map(str, self.rules.weights))}"
        return super().why_missing(state)


@dataclass(frozen=True)
class MultiplierListing(Listing):
    """Mixin: a listing of a multiplier scorecard; raises ConfigurationError for other scorecards."""

    rules: MultiplierScorecard

    def __post_init__(self) -> None:
        _ = self.rules.factors  # raises the error

    @property
    def why_not_solved(self) -> str:
        if self.bytes <= MOST_BYTES:
            return ""
        return f"slots: {self.rules.slots} slots would take {short(self.bytes, 10**9)} GB; at most 0.5 GB is solved"


MOST_BYTES = 500_000_000


def short(number: int, unit: int = 1) -> str:
    """A number of any size, divided by `unit`, for people."""
    return f"{number / unit:.3g}" if number // unit < 10**300 else "more than 1e300"
