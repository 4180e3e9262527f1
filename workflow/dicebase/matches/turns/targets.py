"""Matches to a target: totals, records, and the transition between turns.

A record is all that counts between turns: banked points, the number of turns left, lost turns in a row. A state is a
record and the position inside the turn: nothing for single throws; otherwise the turn total, with the dice in the hand
if their number changes. If totals never fall, values depend only on the points still to go.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import gcd
from typing import Any, ClassVar

from dicebase.vocabulary import Game, Loss, State, Throw

Record = tuple[int, ...]
"""The situation between turns: points, and the number of turns left if it is limited."""

After = tuple[Record | None, int, int]
"""(next record or None, reward, sign); see Outcome."""


LOST = "turns in a row"
"""The unit of the columns of a record that count lost turns."""


class Totals:
    """Mixin: the totals on the way to a target."""

    costs: tuple[int, ...] = ()  # of lost turns in a row, if records count them

    target: int
    unit_of_points: int  # all gains, and so all totals, are multiples of it
    wipes: bool  # whether banked points can be lost
    opening: int = 0  # the fewest points with which a player who has banked nothing may stop
    throws_out: bool = False  # whether a roll can lose the match
    wins_at_once: bool = True  # whether reaching the target has value 1, and any other total the value that follows
    ends_otherwise: bool = False  # whether turns can end in further ways
    turns_alike: bool = True  # whether banks, busts and wipes are all the ends of turns, with equal effects anywhere
    last_turn: bool = False  # whether the opponent of a player who reaches the target has one more turn

    @property
    def totals(self) -> int:
        """The number of totals that a player can have before the end."""
        return -(-self.target // self.unit_of_points)


class ThrowTotals(Totals):
    """Mixin: the totals of a match of single throws."""

    rules: Throw

    @cached_property
    def gains(self) -> list[dict[int, int]]:
        """For each choice, {gain in units: weight}."""
        unit, thrown = self.unit_of_points, map(self.rules.gains, self.rules.choices)
        return [{points // unit: weight for points, weight in weights.items()} for weights in thrown]

    @cached_property
    def unit_of_points(self) -> int:
        return gcd(*(points for choice in self.rules.choices for points in self.rules.gains(choice)))

    wipes = property(lambda self: self.rules.wipes)

    def actions(self, state: State) -> Sequence[str]:
        """The throws to choose from."""
        return tuple(map(str, self.rules.choices))


class TargetRecords(Totals):
    """Mixin: the records of a match to a target; larger targets may answer for smaller ones."""

    limit: int = 0  # number of turns in the match; 0: unlimited

    @property
    def ranges(self) -> list[range]:
        """The possible numbers of each column of a record."""
        points, left = range(0, self.target, self.unit_of_points), range(1, self.limit + 1)
        known = {"points": points, LOST: range(len(self.costs))}
        return [known.get(c.unit, left) for c in self.record_columns]

    def records(self) -> Iterator[Record]:
        """All records at the start of a turn, in rising order; the table lists all of them."""
        return product(*self.ranges)

    def first(self) -> Record:
        """The record at the start of play."""
        return tuple(0 if c.unit in ("points", LOST) else self.limit for c in self.record_columns)

    def why_no_record(self, record: Sequence[int]) -> str:
        """The reason why this is not a record, in words; empty if it is one."""
        columns = list(zip(record, self.record_columns, strict=True))
        for (x, column), numbers in zip(columns, self.ranges, strict=True):
            if column.unit != "points" and x not in numbers:
                return f"{column.name} must be from {numbers[0]} to {numbers[-1]}"
        if all(x in numbers for x, numbers in zip(record, self.ranges, strict=True)):
            return ""
        points = {column.name: x for x, column in columns if column.unit == "points"}
        many, unit = len(points) > 1, self.unit_of_points
        number = f"{'multiples' if many else 'a multiple'} of {unit}"
        whole = "whole numbers" if many else "a whole number"
        names, kind = " and ".join(points), number if unit > 1 else whole
        return f"{names} must be {kind} from 0, less than the target of {self.target}"

    def why_missing(self, state: State) -> str:
        return self.why_no_record(state)

    def start(self) -> Hashable:
        return ("begin", self.first())

    def starts(self) -> Iterator[Hashable]:
        return (("begin", record) for record in self.records())

    @property
    def why_not_answered(self) -> str:
        reasons = {
            "totals can fall": self.wipes or self.costs,
            "a player with nothing banked must open": self.opening,
            "points beyond the target count differently": not self.wins_at_once,
        }
        why = next((why for why, holds in reasons.items() if holds), "")
        return why and f"{why}, so no larger target answers for this one"

    def answered_in(self, larger: TargetRecords) -> bool:
        same = self.totals == larger.totals or (not self.why_not_answered and self.totals <= larger.totals)
        return same and self.limit <= larger.limit

    def state_in(self, larger: TargetRecords, state: State) -> State | None:
        n, more = len(self.record_columns), (larger.totals - self.totals) * self.unit_of_points
        if self.why_no_record(state[:n]):
            return None
        record = (x + more * (c.unit == "points") for x, c in zip(state[:n], self.record_columns, strict=True))
        return (*record, *state[n:])


class TargetMatch(TargetRecords, Game):
    """Mixin for ByTurns and ByThrows: a format only states the record that follows a turn."""

    reward: ClassVar[int]  # of a turn that does not end the match
    sign: ClassVar[int]  # of such a turn

    @staticmethod
    @abstractmethod
    def following(record: Sequence, points: Any) -> tuple:
        """The record after the mover of `record` ends a turn with `points` points; for numbers, arrays or SQL."""

    def ended(self, record: Sequence, points: Any, lost: Any = False) -> tuple[Any, Any, tuple]:
        """Return (whether the match ends with value 1, as a win or counted turn; whether it ends with value 0;
        otherwise the next record) if the mover of `record` ends a turn with `points` points, or has `lost` it; for
        numbers or arrays."""
        return points >= self.target, points < 0, self.following(record, points)

    def after(self, record: Record, points: int, bust: bool = False) -> After:
        """Return (next record or None, reward, sign) after the mover ends a turn with `points` points, or busts."""
        won, lost, following = self.ended(record, points, bust)
        if won or lost:
            return None, int(won), 1
        # After the last turn there is no next record.
        return following if following[0] or not self.limit else None, self.reward, self.sign

    @cached_property
    def mine(self) -> int:
        """The index of the mover's points in a record."""
        return [c.unit for c in self.record_columns].index("points")

    def to_go(self, record: Sequence) -> Any:
        """The turn total that ends the turn; for numbers or arrays."""
        return self.target - record[self.mine]

    def after_turn(self, record: Record, gain: int | Loss) -> After:
        """Return (next record or None, reward, sign) after this turn adds `gain` points or is lost."""
        if gain is Loss.OUT:
            return None, 0, 1
        if isinstance(gain, Loss):
            return self.after(record, record[self.mine] if gain is Loss.BUST else 0, gain is Loss.BUST)
        return self.after(record, record[self.mine] + gain)
