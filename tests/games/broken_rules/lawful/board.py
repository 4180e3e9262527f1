"""A lawful board: a coin moves a pawn along a row of fields, or back to the start."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, Squares, parameter


@dataclass(frozen=True)
class Rules(Board):
    """Made up."""

    fields: int = parameter(4, "fields of the row", low=2, high=9)

    title = "Made up"
    citation = "made up for a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}  # noqa: RUF012
    columns = (Column("row", str, "the row of fields, with the pawn"), Column("at", int, "the pawn's field"))
    drawing = (Squares("row", tuple((i, 0) for i in range(9)), {"o": "pawn"}),)

    def start(self):
        return 0

    def actions(self, state):
        return ("careful", "bold")

    def afterstate(self, state, action):
        return (state[1], action)

    def outcomes(self, afterstate):
        if afterstate == 0:
            yield Outcome(1, self._state(0))
            return
        at, action = afterstate
        step, back = (1, at) if action == "careful" else (2, 0)
        yield Outcome(1, self._state(back), 1)
        yield Outcome(1, self._state(at + step) if at + step < self.fields else None, 1)

    def _state(self, at):
        return "." * at + "o" + "." * (self.fields - at - 1), at
