"""Tug of war: pull hard or softly at a rope; pulling hard may fail."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Tug of war", "a test"
    objectives = {"points": Objective("expected points that the mover wins", "points", players=2)}
    columns = (Column("rope", int, "how far the rope is on my side"),)

    def start(self):
        return (0, "")

    def actions(self, state):
        return ["softly", "hard"]

    def afterstate(self, state, action):
        return (state[0], action)

    def outcomes(self, afterstate):
        rope, action = afterstate
        if not action:
            yield 1, (0,), 0, 1
            return
        for weight, pull in ((3, 1), (1, 0)) if action == "softly" else ((1, 3), (1, -1)):
            to = rope + pull
            yield weight, *((None, 2 if to > 4 else -2, 1) if abs(to) > 4 else ((-to,), 0, -1))
