"""Chomp: bite a rectangle from a chocolate bar; the last square is poisoned."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Chomp."""

    title = "Chomp"
    citation = "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (Column("rows", str, "squares in each row"),)

    def start(self):
        return ("444", False)

    def actions(self, state):
        return [f"{row},{at}" for row, n in enumerate(state[0]) for at in range(int(n)) if (row, at) != (0, 0)] or [
            "eat"
        ]

    def afterstate(self, state, action):
        if action == "eat":
            return ("", True)
        row, at = map(int, action.split(","))
        return ("".join(str(min(int(n), at)) if i >= row else n for i, n in enumerate(state[0])), True)

    def outcomes(self, afterstate):
        rows, moved = afterstate
        if not rows:
            yield 1, None, 0, 1
        else:
            yield 1, (rows,), *((1, -1) if moved else (0, 1))
