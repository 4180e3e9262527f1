"""Parking: drive past random free places and park as near to the door as you dare."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Parking", "a test"
    objectives = {"walk": Objective("expected walk", "points", -1)}
    columns = (
        Column("place", int, "places before the door"),
        Column("free", bool, "whether the place is free", label="Free place"),
    )

    def start(self):
        return 12

    def actions(self, state):
        return ["drive on", "park"] if state[1] else ["drive on"]

    def afterstate(self, state, action):
        return (state[0],) if action == "park" else state[0] - 1

    def outcomes(self, afterstate):
        if isinstance(afterstate, tuple):
            yield 1, None, afterstate[0], 1
        elif afterstate < 0:
            yield 1, None, 20, 1
        else:
            yield 1, (afterstate, True), 0, 1
            yield 2, (afterstate, False), 0, 1
