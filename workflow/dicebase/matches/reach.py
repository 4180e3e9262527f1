"""The best chance to reach a target within so many turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dicebase.matches.by_turns import ByThrows, ByTurns
from dicebase.matches.reached import RecordColumns
from dicebase.matches.targets import Between, Record
from dicebase.vocabulary import AnsweredBy, Column, RepeatedTurn, Throw, parameter, worth

MOST_TURNS = 150


@dataclass(frozen=True)
class Reach(Between):
    """Maximise the probability of reaching the target within the turns that are left."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points to be reached", low=1, high=100_000)

    reward, sign = 0, 1

    @staticmethod
    def following(record: Sequence, points: Any) -> tuple:
        return record[0] - 1, points


@dataclass(frozen=True)
class ReachOfTurns(Reach, ByTurns):
    """Greatest chance to reach a target within a number of turns."""

    turns: int = parameter(20, "turns to play at the most", low=1, high=1000)

    format = "reach"
    answered_by = AnsweredBy("reach", ("target", "turns"))
    value = worth("probability of reaching the target within the turns left, under best play", "probability")
    record_columns = RecordColumns(
        Column("turns_left", int, "turns left, the one being played included", "turns"),
        Column("banked", int, "points banked in earlier turns", "points"),
    )

    limit = property(lambda self: self.turns)

    @property
    def why_not_solved(self) -> str:
        # Chances so near to 1 differ by less than is decided (TIE).
        many = f"turns: {self.turns}; decisions are told apart within at most {MOST_TURNS}" * (self.turns > MOST_TURNS)
        return super().why_not_solved or many

    def reached_at_once(self, record: Record) -> bool:
        turns = min(self.limit - record[0], len(self.totals_after) - 1)
        return record[1] in self.totals_after[turns]


@dataclass(frozen=True)
class ReachOfThrows(Reach, ByThrows):
    """Greatest chance to reach a target within a number of throws (section 3.2 of Tijms & van der Wal for Hog)."""

    throws: int = parameter(6, "throws at the most", low=1, high=1000)

    answered_by = AnsweredBy("reach", ("target", "throws"))
    tabulated_by = "exact.positions"
    value = worth("probability of reaching the target within the throws left, under best play", "probability")
    record_columns = (
        Column("throws_left", int, "throws left, the one about to be made included", "throws"),
        Column("score", int, "points scored so far", "points"),
    )
    limit = property(lambda self: self.throws)


FORMATS = {RepeatedTurn: ReachOfTurns, Throw: ReachOfThrows}
