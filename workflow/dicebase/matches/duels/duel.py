"""A duel: two players take turns, and the first to reach the target wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dicebase.matches.turns.by_turns import ByThrows, ByTurns
from dicebase.matches.turns.reachable import RecordColumns
from dicebase.matches.turns.targets import TargetMatch
from dicebase.vocabulary import AnsweredBy, Column, Listing, RepeatedTurn, Throw, parameter, value_column

MOST_PLAYED_OUT = 250  # the ends of all turns of a policy take 8 bytes times the cube of the totals


@dataclass(frozen=True)
class Duel(TargetMatch):
    """Maximise the mover's probability of winning."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points that win the match", low=1, high=100_000)

    answered_by = AnsweredBy("duel", ("target",))
    value = value_column("probability that the mover wins, if both play optimally", "probability")
    record_columns = (
        Column("me", int, "points banked by the mover", "points"),
        Column("opponent", int, "points banked by the opponent", "points"),
    )

    reward, sign = 1, -1  # the mover wins if the opponent does not: 1 - P
    following = staticmethod(lambda record, points: (record[1], points))

    @property
    def why_not_played_out(self) -> str:
        """The reason why policies are not evaluated in this duel, in words; empty if they are."""
        most = MOST_PLAYED_OUT * self.unit_of_points
        said = f"target: {self.target} has {self.totals} totals; at most {MOST_PLAYED_OUT} are played out"
        too_many = f"{said}, so give a target of at most {most}"
        alike = "policies are evaluated only if lost turns cost no points, any total beyond the target counts, and no "
        otherwise = "" if self.turns_alike else f"{alike}dice end a turn"
        return self.why_not_solved or otherwise or (too_many if self.totals > MOST_PLAYED_OUT else "")

    @property
    def why_no_matchups(self) -> str:
        """The reason why matchups are not solved for this duel, in words; empty if they are."""
        return "matchups are solved only without a last turn" * self.last_turn or self.why_not_played_out


@dataclass(frozen=True)
class DuelListing(Listing):
    """A listing about a duel that does not list its positions."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points that win the match", low=1, high=100_000)

    match: ClassVar[type[Duel]]

    @cached_property
    def duel(self) -> Duel:
        """The duel."""
        return self.match(self.rules, self.target)


class DuelOfTurns(Duel, ByTurns):
    """Alternate turns to a target (T. Neller and C. Presser 2004, for Pig)."""

    format = "duel"
    record_columns = RecordColumns(*Duel.record_columns)

    last_turn = property(lambda self: self.rules.last_turn)

    @property
    def ranges(self) -> list[range]:
        mine, other, *lost = super().ranges
        # During a last turn, the opponent has reached the target.
        return [mine, range(0, other.stop + self.past, other.step) if self.last_turn else other, *lost]

    def to_go(self, record: Sequence) -> Any:
        me, opponent, *_ = record
        if not self.last_turn:
            return self.target - me
        return self.target - me + (opponent >= self.target) * (opponent + self.unit_of_points - self.target)

    def ended(self, record: Sequence, points: Any, lost: Any = False) -> tuple[Any, Any, tuple]:
        won, none, following = super().ended(record, points, lost)
        if not self.last_turn:
            return won, none, following
        last = record[1] >= self.target
        return last & (points > record[1]), last & (points <= record[1]), following


class DuelOfThrows(Duel, ByThrows):
    """Alternate throws to a target (variant 2 of section 5 of Tijms & van der Wal for Hog)."""

    certified_by = "throws.duel"


FORMATS = {RepeatedTurn: DuelOfTurns, Throw: DuelOfThrows}
