"""Three in a row: players mark squares of a strip of eight; who completes three marks in a row wins. No chance."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Three in a row", "Treblecross"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (Column("strip", str, "the marks"),)

    def start(self):
        return "." * 8

    def actions(self, state):
        return [f"mark {i}" for i, square in enumerate(state[0], 1) if square == "."]

    def afterstate(self, state, action):
        i = int(action[5:])
        return state[0][: i - 1] + "x" + state[0][i:]

    def outcomes(self, afterstate):
        begins = "x" not in afterstate
        yield (1, None, 1, 1) if "xxx" in afterstate else (1, (afterstate,), 1 - begins, 2 * begins - 1)
