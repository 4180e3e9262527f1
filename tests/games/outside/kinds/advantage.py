"""Advantage: two points ahead wins; the server risks the hard serve or plays safe, and serve changes after each."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Advantage", "a test"
    objectives = {"duel": Objective("chance of the server to win", "probability", players=2)}
    columns = (Column("ahead", int, "points by which the server leads"),)

    def start(self):
        return (0, "toss")

    def actions(self, state):
        return ["safe", "hard"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        ahead, serve = afterstate
        if serve == "toss":
            yield 1, (0,), 0, 1
            return
        for weight, gain in {"safe": ((11, 1), (9, -1)), "hard": ((9, 1), (8, -1), (3, -2))}[serve]:
            lead = ahead + gain
            yield (weight, (-lead,), 1, -1) if abs(lead) < 2 else (weight, None, lead > 0, 1)
