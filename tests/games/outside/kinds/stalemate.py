"""Stalemate: step forward or wait on a short road; chance decides when the pawns meet. A wait may draw."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Stalemate", "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (Column("gap", int, "squares between the pawns"), Column("strong", bool, "whether the mover is strong"))

    def start(self):
        return (5, True, -1)

    def actions(self, state):
        return ["wait", "step", "run"]

    def afterstate(self, state, action):
        return (*state, ["wait", "step", "run"].index(action))

    def outcomes(self, afterstate):
        gap, strong, steps = afterstate
        if steps < 0:
            yield 1, (gap, strong), 0, 1
        elif gap > steps:
            yield 9, (gap - steps, not strong), 1, -1
            if not steps:
                yield 1, None, Fraction(1, 2), 1
        else:
            yield 2 + strong, None, 1, 1
            yield 3 - strong, None, 0, 1
