"""Ticket: buy a ticket or not each day; the fare inspector comes at random."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Ticket."""

    title = "Ticket"
    citation = "a test"
    objectives = {"cost": Objective("expected cost", "points", -1)}
    columns = (
        Column("day", int, "days left"),
        Column("fined", int, "fines so far"),
    )

    def start(self):
        return (7, 0, "")

    def actions(self, state):
        return ["pay", "ride free"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        day, fined, action = afterstate
        if not action:
            yield 1, (day, fined), 0, 1
            return
        later = (day - 1, fined) if day > 1 else None
        if action == "pay":
            yield 1, later, 2, 1
        else:
            yield 4, later, 0, 1
            yield 1, later and (day - 1, min(2, fined + 1)), 5 + 5 * fined, 1
