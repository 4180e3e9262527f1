"""Windy walk: walk to a corner of a grid in a wind that may blow you north."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Windy walk."""

    title = "Windy walk"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (
        Column("row", int, "row from the north"),
        Column("column", int, "column"),
    )

    def start(self):
        return ("first", 4, 0)

    def actions(self, state):
        return ["north", "south", "east", "west"]

    def afterstate(self, state, action):
        down, right = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}[action]
        return (action, min(4, max(0, state[0] + down)), min(4, max(0, state[1] + right)))

    def outcomes(self, afterstate):
        action, row, column = afterstate
        for weight, to in ((3, row), (1 + (column > 1), max(0, row - 1))):
            yield weight, None if (to, column) == (4, 4) else (to, column), int(action != "first"), 1
