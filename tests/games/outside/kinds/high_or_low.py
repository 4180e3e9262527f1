"""High or low: guess whether the next of eight cards is higher; a wrong guess ends play."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """High or low."""

    title = "High or low"
    citation = "a test"
    objectives = {"right": Objective("expected right guesses", "points")}
    columns = (
        Column("left", str, "cards not yet seen"),
        Column("card", int, "the last card"),
    )

    def start(self):
        return ("12345678", 0, "")

    def actions(self, state):
        return ["high", "low"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        left, card, guess = afterstate
        for face in left:
            right = not guess or (int(face) > card) == (guess == "high")
            rest = left.replace(face, "")
            yield 1, (rest, int(face)) if right and rest else None, bool(guess and right), 1
