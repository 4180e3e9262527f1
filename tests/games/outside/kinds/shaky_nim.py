"""Shaky nim: take one to three matches; one time in five the hand shakes and takes one more. The last one loses."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Shaky nim", "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (Column("matches", int, "matches left"),)

    def start(self):
        return (15, 0)

    def actions(self, state):
        return [str(k) for k in range(1, min(3, state[0]) + 1)]

    def afterstate(self, state, action):
        return (*state, int(action))

    def outcomes(self, afterstate):
        matches, taken = afterstate
        if not taken:
            yield 1, (matches,), 0, 1
            return
        for weight, more in ((4, 0), (1, 1)):
            left = matches - taken - more
            yield (weight, (left,), 1, -1) if left > 0 else (weight, None, 0, 1)
