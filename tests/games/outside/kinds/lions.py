"""Lions: a hunter and a lion chase each other round a ring of seven; a catch is worth 3, and later moves count less."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Lions", "a test"
    objectives = {"points": Objective("points of the mover", "points", players=2)}
    columns = (Column("gap", int, "steps clockwise to the other animal"),)
    discount = Fraction(7, 8)

    def start(self):
        return (3, 0)

    def actions(self, state):
        return ["on", "back", "leap"]

    def afterstate(self, state, action):
        return (*state, {"on": 1, "back": -1, "leap": 2}[action])

    def outcomes(self, afterstate):
        gap, step = afterstate
        if not step:
            yield 1, (gap,), 0, 1
            return
        for weight, moved in ((3, step), (1, 0)):
            left = (gap - moved) % 7
            yield (weight, (7 - left,), 0, -1) if left else (weight, None, 3 if abs(step) == 1 else 1, 1)
