"""As few turns as possible to a target."""

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
class Race(Between):
    """Minimise the expected number of turns to the target, the one about to be played included."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points that end the match", low=1, high=100_000)

    sense = -1
    answered_by = AnsweredBy("race", ("target",))

    def records(self) -> Iterator[Record]:
        return ((points,) for points in range(0, self.target, self.unit_of_points))

    def first(self) -> Record:
        return (0,)

    def controller(self, state: State) -> Controller:
        return Controller.MIN

    def layer_of(self, record: Record) -> int:
        return 0 if self.wipes else record[0]

    def to_go(self, record: Record) -> int:
        return self.target - record[0]

    def after_bank(self, record: Record, points: int) -> tuple[Record | None, int, int]:
        return (None if points >= self.to_go(record) else (record[0] + points,)), 1, 1

    def after_bust(self, record: Record) -> tuple[Record, int, int]:
        return record, 1, 1

    def after_wipe(self, record: Record) -> tuple[Record, int, int]:
        return (0,), 1, 1

    def reachable(self, record: Record) -> bool:
        return any(record[0] in totals for totals in self.totals_after)

    def why_no_record(self, record: Record) -> str:
        return f"{self.record_columns[0].name} is {self.points_text}, less than the target of {self.target}"


class RaceOfTurns(Race, ByTurns):
    """Fewest turns to a target (J. Haigh and M. Roters 2000, for Pig)."""

    accepts = RepeatedTurn
    format = "race"
    value = Column(
        "value", float, "expected number of turns to the target, this one included, under best play", "turns"
    )
    record_columns = (Column("banked", int, "points banked in earlier turns", "points"),)


class RaceOfThrows(Race, ByThrows):
    """Fewest throws to a target (section 3.1 of Tijms & van der Wal for Hog)."""

    accepts = Throw
    value = Column(
        "value", float, "expected number of throws to the target, this one included, under best play", "throws"
    )
    record_columns = (Column("score", int, "points scored so far", "points"),)
