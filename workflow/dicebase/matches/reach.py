"""The best chance to reach a target within so many turns."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.matches.between import Between, Record
from dicebase.matches.by_throws import ByThrows
from dicebase.matches.by_turns import ByTurns
from dicebase.vocabulary.game import Controller
from dicebase.vocabulary.listing import AnsweredBy, Column, State
from dicebase.vocabulary.parameters import parameter
from dicebase.vocabulary.throws import Throw
from dicebase.vocabulary.turns import RepeatedTurn


@dataclass(frozen=True)
class Reach(Between):
    """Maximise the probability of reaching the target within the turns that are left."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points to be reached", low=1, high=100_000)

    @property
    @abstractmethod
    def limit(self) -> int:
        """The number of turns the match begins with."""

    def records(self) -> Iterator[Record]:
        points = range(0, self.target, self.unit_of_points)
        return ((left, banked) for left in range(1, self.limit + 1) for banked in points)

    def first(self) -> Record:
        return (self.limit, 0)

    def controller(self, state: State) -> Controller:
        return Controller.MAX

    def layer_of(self, record: Record) -> int:
        return -record[0]

    def to_go(self, record: Record) -> int:
        return self.target - record[1]

    def after_bank(self, record: Record, points: int) -> tuple[Record | None, int, int]:
        if points >= self.to_go(record):
            return None, 1, 1
        return self._next(record[0] - 1, record[1] + points)

    def after_bust(self, record: Record) -> tuple[Record | None, int, int]:
        return self._next(record[0] - 1, record[1])

    def after_wipe(self, record: Record) -> tuple[Record | None, int, int]:
        return self._next(record[0] - 1, 0)

    def _next(self, left: int, banked: int) -> tuple[Record | None, int, int]:
        return ((left, banked) if left else None), 0, 1

    def reachable(self, record: Record) -> bool:
        turns = min(self.limit - record[0], len(self.totals_after) - 1)
        return record[1] in self.totals_after[turns]

    def is_record(self, record: Record) -> bool:
        return 1 <= record[0] <= self.limit and super().is_record(record)

    def answered_in(self, larger: "Reach") -> bool:
        return self.limit <= larger.limit and super().answered_in(larger)

    def why_no_record(self, record: Record) -> str:
        left, banked = (c.name for c in self.record_columns)
        if not 1 <= record[0] <= self.limit:
            return f"{left} is from 1 to {self.limit}"
        return f"{banked} is {self.points_text}, less than the target of {self.target}"


@dataclass(frozen=True)
class ReachOfTurns(Reach, ByTurns):
    """Greatest chance to reach a target within a number of turns."""

    turns: int = parameter(20, "turns to play at the most", low=1, high=1000)

    accepts = RepeatedTurn
    format = "reach"
    answered_by = AnsweredBy("reach", ("target", "turns"))
    value = Column(
        "value", float, "probability of reaching the target within the turns left, under best play", "probability"
    )
    record_columns = (
        Column("turns_left", int, "turns left, the one being played included", "turns"),
        Column("banked", int, "points banked in earlier turns", "points"),
    )

    @property
    def limit(self) -> int:
        return self.turns

    def layer(self, state: State) -> int:
        # Inside a turn its total grows, or stays while the dice of a roll are chosen.
        inside = 2 * state[2] + (not self.listed(state))
        return self.layer_of(state) * 2 * (self.target + 1) + inside


@dataclass(frozen=True)
class ReachOfThrows(Reach, ByThrows):
    """Greatest chance to reach a target within a number of throws (section 3.2 of Tijms & van der Wal for Hog)."""

    throws: int = parameter(6, "throws at the most", low=1, high=1000)

    accepts = Throw
    answered_by = AnsweredBy("reach", ("target", "throws"))
    value = Column(
        "value", float, "probability of reaching the target within the throws left, under best play", "probability"
    )
    record_columns = (
        Column("throws_left", int, "throws left, the one about to be made included", "throws"),
        Column("score", int, "points scored so far", "points"),
    )

    @property
    def limit(self) -> int:
        return self.throws
