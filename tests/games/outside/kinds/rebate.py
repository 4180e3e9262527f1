"""Rebate: collect thirds of a point, or double the stake at the risk of all."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Rebate", "a test"
    objectives = {"points": Objective("expected points", "points", denominator=3)}
    columns = (Column("stake", int, "thirds at stake"), Column("rounds", int, "rounds left"))

    def start(self):
        return (1, 6, "")

    def actions(self, state):
        return ["take", "double"] if state[1] else ["take"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        stake, rounds, action = afterstate
        if action == "take":
            yield 1, None, Fraction(stake, 3), 1
        elif action == "double":
            yield 3, (2 * stake, rounds - 1), 0, 1
            yield 2, None, Fraction(-1, 3), 1
        else:
            yield 1, (stake, rounds), 0, 1
