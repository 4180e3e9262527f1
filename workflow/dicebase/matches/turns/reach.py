"""The greatest probability of reaching a target within a number of turns."""

from dataclasses import dataclass

from dicebase.matches.turns.by_turns import ByThrows, ByTurns
from dicebase.matches.turns.reachable import RecordColumns
from dicebase.matches.turns.targets import TargetMatch
from dicebase.vocabulary import AnsweredBy, Column, RepeatedTurn, Throw, parameter, value_column

MOST_TURNS = 150


@dataclass(frozen=True)
class Reach(TargetMatch):
    """Maximise the probability of reaching the target within the turns left."""

    rules: RepeatedTurn | Throw
    target: int = parameter(100, "points to reach", low=1, high=100_000)

    reward, sign = 0, 1
    following = staticmethod(lambda record, points: (record[0] - 1, points))


@dataclass(frozen=True)
class ReachOfTurns(Reach, ByTurns):
    """Greatest probability of reaching a target within a number of turns."""

    turns: int = parameter(20, "largest number of turns", low=1, high=1000)

    format = "reach"
    answered_by = AnsweredBy("reach", ("target", "turns"))
    value = value_column("probability of reaching the target within the turns left, under optimal play", "probability")
    record_columns = RecordColumns(
        Column("turns_left", int, "turns left, including the current one", "turns"),
        Column("banked", int, "points banked in earlier turns", "points"),
    )

    limit = property(lambda self: self.turns)

    @property
    def why_not_solved(self) -> str:
        # With more turns, probabilities are so close to 1 that they differ by less than TIE.
        many = f"turns: {self.turns}; at most {MOST_TURNS} are solved" * (self.turns > MOST_TURNS)
        return super().why_not_solved or many


@dataclass(frozen=True)
class ReachOfThrows(Reach, ByThrows):
    """Greatest probability of reaching a target within a number of throws (section 3.2 of Tijms & van der Wal: Hog)."""

    throws: int = parameter(6, "largest number of throws", low=1, high=1000)

    answered_by = AnsweredBy("reach", ("target", "throws"))
    tabulated_by = "exact.positions"
    value = value_column("probability of reaching the target within the throws left, under optimal play", "probability")
    record_columns = (
        Column("throws_left", int, "throws left, including the next one", "throws"),
        Column("score", int, "points scored so far", "points"),
    )
    limit = property(lambda self: self.throws)


FORMATS = {RepeatedTurn: ReachOfTurns, Throw: ReachOfThrows}
