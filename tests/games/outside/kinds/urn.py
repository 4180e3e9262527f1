"""Urn: draw balls without returning them; red pays 1, blue costs 1; stop at any time."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Urn."""

    title = "Urn"
    citation = "a test"
    objectives = {"points": Objective("expected points", "points")}
    columns = (
        Column("red", int, "red balls left"),
        Column("blue", int, "blue balls left"),
    )

    def start(self):
        return (5, 6, "start")

    def actions(self, state):
        return ["stop", "draw"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        red, blue, action = afterstate
        if action != "draw":
            yield 1, (red, blue) if action == "start" else None, 0, 1
            return
        if red:
            yield red, (red - 1, blue) if red + blue > 1 else None, 1, 1
        if blue:
            yield blue, (red, blue - 1) if red + blue > 1 else None, -1, 1
