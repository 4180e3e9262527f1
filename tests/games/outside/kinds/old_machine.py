"""Old machine: repair, replace or run on a machine that wears; later weeks count for nineteen twentieths."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Old machine", "a test"
    objectives = {"cost": Objective("expected cost", "points", sense=-1)}
    columns = (Column("wear", int, "wear of the machine"),)
    discount = Fraction(19, 20)

    def start(self):
        return 0

    def actions(self, state):
        return ["run", "repair", "replace"] if state[0] else ["run"]

    def afterstate(self, state, action):
        return {"run": state[0], "repair": state[0] - 1, "replace": -1}[action]

    def outcomes(self, afterstate):
        for weight, more in ((2, 0), (3, 1), (1, 2)):
            wear = max(afterstate, 0) + more
            yield weight, (min(wear, 6),), Fraction(wear**2, 3) + 9 * (afterstate < 0) + 4 * (wear > 6), 1
