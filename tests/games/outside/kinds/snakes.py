"""Snakes: throw one die or two to get past the end of a road with two snakes."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, multisets


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Snakes", "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (Column("square", int, "the square of the pawn"),)

    def start(self):
        return (0, 0)

    def actions(self, state):
        return ["one", "two"]

    def afterstate(self, state, action):
        return (state[0], 1 + (action == "two"))

    def outcomes(self, afterstate):
        square, dice = afterstate
        if not dice:
            yield 1, (0,), 0, 1
            return
        for faces, weight in multisets(4, dice):
            to = square + sum(faces)
            yield weight, None if to > 20 else ({9: 2, 17: 4}.get(to, to),), 1, 1
