"""Two pawns meet on a lane; the first to leave it wins. A pawn that is hit begins again, which makes cycles."""

from dataclasses import dataclass
from typing import ClassVar

from dicebase.vocabulary import Board, Column, Objective, Squares


@dataclass(frozen=True)
class Rules(Board):
    title = "Lane"
    citation = "A game made up for a test"
    objectives: ClassVar = {"duel": Objective("chance to leave the lane first", "probability")}
    columns = (
        Column("lane", str, "the squares from the mover's end"),
        Column("roll", int, "squares to move", "squares"),
        Column("free", int, "1 where the mover may wait"),
    )
    drawing = (Squares("lane", ((0, 0), (1, 0), (2, 0), (2, 1), (3, 1)), {"m": "mine", "t": "theirs"}, (2,)),)

    def start(self):
        return 0, 4, 1

    def actions(self, state):
        return ["move", "wait"] if state[2] else ["move"]

    def afterstate(self, state, action):
        lane, roll, _ = state
        mine, theirs = lane.index("m"), lane.index("t")
        if action == "wait":
            return 4 - theirs, 4 - mine, 0
        to = mine + roll
        if to > 4:
            return None
        # A pawn that is hit goes back to its end, where it cannot be hit.
        return (0 if to == theirs else 4 - theirs), 4 - to, 1

    def outcomes(self, after):
        if after is None:
            yield 1, None, 1, 1  # a plain tuple is as good as an Outcome
            return
        mine, theirs, free = after
        if mine == theirs:
            theirs = 4 if mine < 4 else 3
        squares = ["<", " ", " ", " ", ">"]
        squares[mine], squares[theirs] = "m", "t"
        sign, reward = (1, 0) if after == (0, 4, 1) else (-1, 1)
        for roll in (1, 2):
            yield 1, ("".join(squares), roll, free), reward, sign
