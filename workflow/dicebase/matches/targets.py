"""Matches to a target: totals, records, and what happens between turns.

A match is a record of points between turns (what is banked, who leads, how many turns are left). A state is the
record and the position inside the turn: nothing for a game of single throws, the turn total (and the dice in the
hand, where the hand changes) elsewhere. Where totals never fall, it is worth what the points still to go say.
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
"""What is known between turns: points, and how many turns are left where they are limited."""

After = tuple[Record | None, int, int]
"""(next record or None, reward, sign); see Outcome."""


LOST = "turns in a row"
"""The unit of the columns of a record that count lost turns."""


class Totals:
    """The totals on the way to a target. It is a mixin."""

    costs: tuple[int, ...] = ()  # of lost turns in a row, where records count them

    target: int
    unit_of_points: int  # all gains are multiples of it, and so are all totals
    wipes: bool  # whether the points banked before can be lost
    opening: int = 0  # with fewer points one may not stop while nothing is banked
    throws_out: bool = False  # whether a roll can lose the match
    wins_at_once: bool = True  # whether points that reach the target are worth one, and others what follows
    ends_otherwise: bool = False  # whether there are other ways to end a turn than these, and to bank

    @property
    def totals(self) -> int:
        """How many totals a player can have before the end."""
        return -(-self.target // self.unit_of_points)


class OfThrows(Totals):
    """The totals of a match of single throws. It is a mixin."""

    rules: Throw

    @cached_property
    def gains(self) -> list[dict[int, int]]:
        """What each throw gains: {points: weight}."""
        return [self.rules.gains(choice) for choice in self.rules.choices]

    @cached_property
    def unit_of_points(self) -> int:
        return gcd(*(points for weights in self.gains for points in weights))

    wipes = property(lambda self: self.rules.wipes)

    def actions(self, state: State) -> Sequence[str]:
        """The throws to choose from."""
        return tuple(map(str, self.rules.choices))


class ToTarget(Totals):
    """What a match to a target adds to a game: its records; larger targets answer for smaller ones. It is a mixin."""

    limit: int = 0  # the turns that the match has; 0: as many as it takes

    @property
    def ranges(self) -> list[range]:
        """The numbers that each column of a record can have."""
        points, left = range(0, self.target, self.unit_of_points), range(1, self.limit + 1)
        known = {"points": points, LOST: range(len(self.costs))}
        return [known.get(c.unit, left) for c in self.record_columns]

    def records(self) -> Iterator[Record]:
        """Every record at the start of a turn, in rising order; the table lists all of them."""
        return product(*self.ranges)

    def first(self) -> Record:
        """The record that play begins with."""
        return tuple(0 if c.unit in ("points", LOST) else self.limit for c in self.record_columns)

    def why_no_record(self, record: Sequence[int]) -> str:
        """Why this is no record, in words; empty where it is one."""
        columns = list(zip(record, self.record_columns, strict=True))
        for (x, column), numbers in zip(columns, self.ranges, strict=True):
            if column.unit != "points" and x not in numbers:
                return f"{column.name} is from {numbers[0]} to {numbers[-1]}"
        if all(x in numbers for x, numbers in zip(record, self.ranges, strict=True)):
            return ""
        points = {column.name: x for x, column in columns if column.unit == "points"}
        multiple = f"a multiple of {self.unit_of_points}" if self.unit_of_points > 1 else "a whole number"
        names = f"{' and '.join(points)} {'are' if len(points) > 1 else 'is'}"
        return f"{names} {multiple} from 0, less than the target of {self.target}"

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
            "who has banked nothing must open": self.opening,
            "points beyond the target count otherwise": not self.wins_at_once,
        }
        why = next((why for why, holds in reasons.items() if holds), "")
        return why and f"{why}, so that no larger target answers for this one"

    def answered_in(self, larger: ToTarget) -> bool:
        same = self.totals == larger.totals or (not self.why_not_answered and self.totals <= larger.totals)
        return same and self.limit <= larger.limit

    def state_in(self, larger: ToTarget, state: State) -> State | None:
        n, more = len(self.record_columns), (larger.totals - self.totals) * self.unit_of_points
        if self.why_no_record(state[:n]):
            return None
        record = (x + more * (c.unit == "points") for x, c in zip(state[:n], self.record_columns, strict=True))
        return (*record, *state[n:])


class Between(ToTarget, Game):
    """What happens between turns: a format says what the points after a turn lead to, and no more. It is a mixin with
    ByTurns or ByThrows."""

    reward: ClassVar[int]  # and sign, of a turn that does not end the match
    sign: ClassVar[int]

    @staticmethod
    @abstractmethod
    def following(record: Sequence, points: Any) -> tuple:
        """The record that follows one whose mover has so many points after the turn; of numbers, arrays or SQL."""

    def ended(self, record: Sequence, points: Any, lost: Any = False) -> tuple[Any, Any, tuple]:
        """(whether this ends the match and is worth one: a win, or the turn that is counted; whether it ends and is
        worth nothing; the record that follows elsewhere) where the mover of a record has so many points after the turn,
        or has `lost` it, of numbers or arrays."""
        return points >= self.target, points < 0, self.following(record, points)

    def after(self, record: Record, points: int, bust: bool = False) -> After:
        """What follows when the mover of a record has so many points after the turn, or has lost it."""
        won, lost, following = self.ended(record, points, bust)
        if won or lost:
            return None, int(won), 1
        # After the last turn there is no other.
        return following if following[0] or not self.limit else None, self.reward, self.sign

    @cached_property
    def mine(self) -> int:
        """The place of the mover's points in a record."""
        return [c.unit for c in self.record_columns].index("points")

    def to_go(self, record: Sequence) -> Any:
        """The points that end the turn by themselves, of numbers or arrays."""
        return self.target - record[self.mine]

    def after_turn(self, record: Record, gain: int | Loss) -> After:
        """What follows when this turn adds so many points, or is lost."""
        if gain is Loss.OUT:
            return None, 0, 1
        if isinstance(gain, Loss):
            return self.after(record, record[self.mine] if gain is Loss.BUST else 0, gain is Loss.BUST)
        return self.after(record, record[self.mine] + gain)
