"""Thirds: each round keep a third of what a wheel shows, or turn it again for a fee; five rounds."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Thirds", "a test"
    objectives = {"points": Objective("expected points", "points", denominator=6)}
    columns = (Column("rounds", int, "rounds left"), Column("wheel", int, "what the wheel shows"))

    def start(self):
        return (5, 0, "begin")

    def actions(self, state):
        return ["keep", "turn"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        rounds, shown, action = afterstate
        gain = {"begin": 0, "keep": Fraction(shown, 3), "turn": Fraction(-1, 2)}[action]
        if action == "keep" and rounds == 1:
            yield 1, None, gain, 1
            return
        for weight, wheel in ((1, 7), (2, 4), (3, 1)):
            yield weight, (rounds - (action == "keep"), wheel), gain, 1
