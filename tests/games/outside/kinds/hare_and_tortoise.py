"""Hare and tortoise: the hare may jump far or nap, and a pawn that is reached goes back."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Hare and tortoise", "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column("me", int, "my square"),
        Column("other", int, "the other square"),
        Column("hare", int, "who moves", label="Animal", words={0: "tortoise", 1: "hare"}),
    )

    def start(self):
        return (0, 0, 1, "")

    def actions(self, state):
        return ["jump", "hop"] if state[2] else ["walk", "wait"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        me, other, hare, action = afterstate
        if not action:
            yield 1, (0, 0, 1), 0, 1
            return
        for step in {"jump": (0, 0, 0, 5), "hop": (0, 1, 2), "walk": (1, 1, 2), "wait": (0, 1)}[action]:
            to = me + step
            if to >= 9:
                yield 1, None, 1, 1
            else:
                yield 1, (0 if to == other else other, to, 1 - hare), 1, -1
