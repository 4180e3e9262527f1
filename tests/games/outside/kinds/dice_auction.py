"""Dice auction: buy some of ten lots from a purse; each lot is worth a die, and you see it before you bid."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Dice auction", "a test"
    objectives = {"value": Objective("expected value of the lots", "points")}
    columns = tuple(Column(name, int, name) for name in ("lots", "purse", "die"))

    def start(self):
        return (10, 12)

    def actions(self, state):
        return ["pass", *(f"bid {k}" for k in (1, 2, 4) if k <= state[1])]

    def afterstate(self, state, action):
        return (*state, int(action[4:] or 0))

    def outcomes(self, afterstate):
        if len(afterstate) == 2:
            yield from ((1, (*afterstate, die), 0, 1) for die in range(1, 7))
            return
        lots, purse, die, bid = afterstate
        for weight, sold in ((bid, True), (5 - bid, False)):
            following = [None] if lots == 1 else [(lots - 1, purse - bid * sold, next) for next in range(1, 7)]
            yield from ((weight, there, die * sold, 1) for there in following if weight)
