"""Coin row: players take coins from either end of a row."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Coin row", "a test"
    objectives = {"points": Objective("expected points that the mover wins", "points", players=2)}
    columns = (Column("first", int, "the first coin left"), Column("last", int, "the coin after the last one"))

    def start(self):
        return (0, 9, -1)

    def actions(self, state):
        return ["left", "right"]

    def afterstate(self, state, action):
        first, last = state
        return (first + 1, last, first) if action == "left" else (first, last - 1, last - 1)

    def outcomes(self, afterstate):
        first, last, taken = afterstate
        if taken < 0:
            return [(1, (first, last), 0, 1)]
        coin = (3, 9, 1, 2, 7, 5, 4, 8, 6)[taken]
        return [(1, (first, last), coin, -1) if first < last else (1, None, coin, 1)]
