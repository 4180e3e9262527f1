"""Statues: creep or run while nobody looks; whoever is seen running goes back. Resting is free."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Statues", "a test"
    objectives = {"arrive": Objective("chance to win", "probability")}
    columns = (Column("place", int, "steps to go"), Column("lives", int, "lives left"))
    unending = 0

    def start(self):
        return (6, 2, "")

    def actions(self, state):
        return ["rest", "creep", "run"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        place, lives, action = afterstate
        if not action or action == "rest":
            yield 1, (place, lives), 0, 1
            return
        step, seen = (1, 1) if action == "creep" else (3, 3)
        yield 5 - seen, (place - step, lives) if place > step else None, place <= step, 1
        yield seen, (6, lives - 1) if lives > 1 else None, 0, 1
