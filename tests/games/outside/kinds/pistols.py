"""Pistols: walk towards each other and shoot once; the nearer, the surer."""

from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Pistols."""

    title = "Pistols"
    citation = "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column("steps", int, "steps apart"),
        Column("mine", int, "my bullets"),
        Column("theirs", int, "the other's bullets"),
    )

    def start(self):
        return (8, 1, 1, "")

    def actions(self, state):
        return ["walk", "shoot"] if state[1] and state[0] else ["walk"] if state[0] else ["shoot"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        steps, mine, theirs, action = afterstate
        if not action:
            yield 1, (steps, mine, theirs), 0, 1
        elif action == "walk":
            yield 1, (steps - 1, theirs, mine), 1, -1
        elif not mine:
            yield 1, None, Fraction(1, 2), 1
        else:
            yield 10 - steps, None, 1, 1
            if steps:
                yield steps, (steps, theirs, 0), 1, -1
