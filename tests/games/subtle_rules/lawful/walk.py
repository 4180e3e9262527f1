"""Walk along a road by one die or by both; a player who ends on its last square wins the prize."""

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial, singledispatch  # noqa: F401

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter

THROWS = {"11": 1, "12": 2, "22": 1}


# TOP
@dataclass(frozen=True)
class Rules(Board):
    """Made up."""

    length: int = parameter(20, "squares of the road", low=2, high=200)
    prize: int = parameter(3, "points at the end", low=1, high=9)

    title = "Made up"
    citation = "made up for a test"
    objectives = {  # noqa: RUF012
        "points": Objective("expected points", "points"),
        "turns": Objective("expected number of turns", "turns", -1),
    }
    columns = (Column("at", int, "the square"), Column("roll", str, "the dice"))
    # CLASS

    def start(self):
        return (0, 0)

    def actions(self, state):
        return ["one", "both"]

    def afterstate(self, state, action):
        at, roll = state
        return (at + self._steps(roll, action), 1)

    def outcomes(self, afterstate):
        at, turns = afterstate
        paid = self._paid(at) if self.objective == "points" else turns
        if at >= self.length:
            yield Outcome(1, None, paid)
            return
        for roll, weight in self._throws(at):
            yield self._outcome(weight, at, roll, turns)

    def _outcome(self, weight, at, roll, turns):
        return Outcome(weight, (at, roll), 0 if self.objective == "points" else turns)

    def _throws(self, at):
        return THROWS.items()

    def _steps(self, roll, action):
        return int(roll[0]) if action == "one" else int(roll[0]) + int(roll[1])

    def _paid(self, at):
        return self.prize if at == self.length else 1
