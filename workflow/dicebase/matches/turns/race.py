"""A race: reach a target in as few turns as possible."""

from dataclasses import dataclass

from dicebase.matches.turns.by_turns import ByThrows, ByTurns
from dicebase.matches.turns.reachable import RecordColumns
from dicebase.matches.turns.targets import TargetMatch
from dicebase.vocabulary import AnsweredBy, Column, RepeatedTurn, Throw, parameter, value_column

MOST_TOTALS = 2000


@dataclass(frozen=True)
class Race(TargetMatch):
    """Minimise the expected number of turns to the target, including the current one."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points that end the match", low=1, high=100_000)

    sense = -1
    reward, sign = 1, 1
    answered_by = AnsweredBy("race", ("target",))
    following = staticmethod(lambda record, points: (points,))


class RaceOfTurns(Race, ByTurns):
    """Fewest turns to a target (J. Haigh and M. Roters 2000, for Pig)."""

    format = "race"
    value = value_column("expected number of turns to the target, including this one, under optimal play", "turns")
    record_columns = RecordColumns(Column("banked", int, "points banked in earlier turns", "points"))

    @property
    def why_not_solved(self) -> str:
        # With more turns the error bound exceeds the differences between actions (TIE).
        many = f"target: {self.target} has {self.totals} totals; at most {MOST_TOTALS} are solved"
        out = "a roll can put the player out, who then never reaches the target"
        return super().why_not_solved or self.throws_out * out or (many if self.totals > MOST_TOTALS else "")


class RaceOfThrows(Race, ByThrows):
    """Fewest throws to a target (section 3.1 of Tijms & van der Wal for Hog)."""

    tabulated_by = "exact.positions"
    value = value_column("expected number of throws to the target, including this one, under optimal play", "throws")
    record_columns = (Column("score", int, "points scored so far", "points"),)


FORMATS = {RepeatedTurn: RaceOfTurns, Throw: RaceOfThrows}
