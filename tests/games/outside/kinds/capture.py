"""Capture: two pawns chase each other round a ring; landing on the other one wins two points."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Capture", "a test"
    objectives = {"points": Objective("expected points that the mover wins", "points", players=2)}
    columns = (Column("gap", int, "squares from me to the other pawn"), Column("turns", int, "moves left"))

    def start(self):
        return (4, 12, "")

    def actions(self, state):
        return ["step", "stride", "stay"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        gap, turns, action = afterstate
        if not action:
            yield 1, (4, 12), 0, 1
            return
        for weight, step in {"step": ((2, 1), (1, 2)), "stride": ((1, 2), (1, 3), (1, 4)), "stay": ((1, 0),)}[action]:
            left = (gap - step) % 8
            yield (
                weight,
                *((None, 2, 1) if left == 0 else (None, 0, 1) if turns == 1 else ((8 - left, turns - 1), 0, -1)),
            )
