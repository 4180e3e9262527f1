"""Repairs: a machine wears out; run it, repair it for 4, or replace it for 9."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Repairs."""

    title = "Repairs"
    citation = "a test"
    objectives = {"cost": Objective("expected cost", "points", -1)}
    columns = (Column("wear", int, "0 new to 4 broken"),)
    discount = Fraction(19, 20)

    def start(self):
        return (0, "")

    def actions(self, state):
        return ["replace", "repair"] + ["run"] * (state[0] < 4)

    def afterstate(self, state, action):
        return (state[0], action)

    def outcomes(self, afterstate):
        wear, action = afterstate
        if not action:
            yield 1, (0,), 0, 1
        elif action == "run":
            yield 2, (wear,), wear, 1
            yield 1, (min(4, wear + 1),), wear, 1
            yield 1, (min(4, wear + 2),), wear, 1
        else:
            yield 1, (0 if action == "replace" else max(0, wear - 2),), 9 if action == "replace" else 4, 1
