"""Matches to a target: where totals never fall, a position is worth what the points still to go say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import gcd

from dicebase.vocabulary.listing import Column, State
from dicebase.vocabulary.throws import Throw


class Totals:
    """The totals on the way to a target. It is a mixin."""

    target: int
    unit_of_points: int  # all gains are multiples of it, and so are all totals
    wipes: bool  # whether the points banked before can be lost

    @property
    def totals(self) -> int:
        """How many totals a player can have before the end."""
        return -(-self.target // self.unit_of_points)


class OfThrows(Totals):
    """The totals of a match of single throws. It is a mixin."""

    rules: Throw

    @cached_property
    def unit_of_points(self) -> int:
        return gcd(*(points for choice in self.rules.choices for points in self.rules.gains(choice)))

    @property
    def wipes(self) -> bool:
        return self.rules.wipes


class ToTarget(Totals):
    """What a match to a target adds to a listing: larger targets answer for smaller ones. It is a mixin."""

    record_columns: tuple[Column, ...]  # of a state, before what happens inside a turn

    @property
    def why_not_answered(self) -> str:
        return "totals can fall, so that no larger target answers for this one" if self.wipes else ""

    def is_record(self, record: Sequence[int]) -> bool:
        """Whether these are totals between turns, on the way to the target."""
        points = [x for x, c in zip(record, self.record_columns, strict=True) if c.unit == "points"]
        return all(0 <= x < self.target and x % self.unit_of_points == 0 for x in points)

    def answered_in(self, larger: ToTarget) -> bool:
        return self.totals == larger.totals or (not self.wipes and self.totals <= larger.totals)

    def state_in(self, larger: ToTarget, state: State) -> State | None:
        n, more = len(self.record_columns), (larger.totals - self.totals) * self.unit_of_points
        if not self.is_record(state[:n]):
            return None
        record = (x + more * (c.unit == "points") for x, c in zip(state[:n], self.record_columns, strict=True))
        return (*record, *state[n:])
