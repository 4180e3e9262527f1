"""Shuttle: carry five parcels across a river in a boat that may be blown back."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Shuttle."""

    title = "Shuttle"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (
        Column("here", int, "parcels here"),
        Column("boat", int, "1 if the boat is here"),
    )

    def start(self):
        return (5, 1, -1)

    def actions(self, state):
        return [f"take {k}" for k in range(min(2, state[0]) + 1)] if state[1] else ["return"]

    def afterstate(self, state, action):
        return (*state, 0 if action == "return" else int(action[-1]))

    def outcomes(self, afterstate):
        here, boat, load = afterstate
        if load < 0:
            yield 1, (5, 1), 0, 1
        elif not boat:
            yield 1, (here, 1), 1, 1
        else:
            left = here - load
            yield 5 - 2 * load, (left, 0) if left else None, 1, 1
            yield 1 + load, (here, 1), 1, 1
