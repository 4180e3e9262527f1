"""Two players, turn about: who reaches the target first wins."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dicebase.matches.between import Between, Record
from dicebase.matches.by_throws import ByThrows
from dicebase.matches.by_turns import ByTurns
from dicebase.vocabulary.game import Controller
from dicebase.vocabulary.listing import AnsweredBy, Column, State
from dicebase.vocabulary.parameters import parameter
from dicebase.vocabulary.throws import Throw
from dicebase.vocabulary.turns import RepeatedTurn


@dataclass(frozen=True)
class Duel(Between):
    """Maximise the mover's probability of winning."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points that win the match", low=1, high=100_000)

    answered_by = AnsweredBy("duel", ("target",))
    value = Column("value", float, "probability that the mover wins, under best play of both", "probability")
    record_columns = (
        Column("me", int, "points banked by the mover", "points"),
        Column("opponent", int, "points banked by the opponent", "points"),
    )

    def records(self) -> Iterator[Record]:
        points = range(0, self.target, self.unit_of_points)
        return ((me, opponent) for me in points for opponent in points)

    def first(self) -> Record:
        return (0, 0)

    def controller(self, state: State) -> Controller:
        return Controller.MAX

    def layer_of(self, record: Record) -> int:
        return 0 if self.wipes else record[0] + record[1]

    def to_go(self, record: Record) -> int:
        return self.target - record[0]

    def after_bank(self, record: Record, points: int) -> tuple[Record | None, int, int]:
        me, opponent = record
        # What the opponent wins is lost: 1 - P.
        return (None, 1, 1) if points >= self.to_go(record) else ((opponent, me + points), 1, -1)

    def after_bust(self, record: Record) -> tuple[Record, int, int]:
        return (record[1], record[0]), 1, -1

    def after_wipe(self, record: Record) -> tuple[Record, int, int]:
        return (record[1], 0), 1, -1

    def reachable(self, record: Record) -> bool:
        # The mover has had as many turns as the opponent, or one less; turns that are lost let either wait.
        me, opponent = record
        return any(me in mine and (opponent in mine or opponent in more) for mine, more in pairwise(self.totals_after))

    def why_no_record(self, record: Record) -> str:
        return f"me and opponent are {self.points_text}, less than the target of {self.target}"


class DuelOfTurns(Duel, ByTurns):
    """Alternate turns to a target (T. Neller and C. Presser 2004, for Pig)."""

    accepts = RepeatedTurn
    format = "duel"


class DuelOfThrows(Duel, ByThrows):
    """Alternate throws to a target (variant 2 of section 5 of Tijms & van der Wal for Hog)."""

    accepts = Throw
    certified_by = "throws.duel"
