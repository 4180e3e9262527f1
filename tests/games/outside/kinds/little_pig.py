"""Little Pig: throw a coin as often as you dare; tails loses the turn; first to five."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Little Pig", "a test"
    objectives = {"duel": Objective("chance of the mover to win", "probability", players=2)}
    columns = (
        Column("me", int, "my points"),
        Column("other", int, "the other's points"),
        Column("turn", int, "points in this turn"),
    )

    def start(self):
        return (0, 0, 0, "")

    def actions(self, state):
        return ["throw", "hold"] if state[2] else ["throw"]

    def afterstate(self, state, action):
        return (*state, action)

    def outcomes(self, afterstate):
        me, other, turn, action = afterstate
        if not action:
            yield 1, (0, 0, 0), 0, 1
        elif action == "hold":
            yield 1, *((None, 1, 1) if me + turn >= 5 else ((other, me + turn, 0), 1, -1))
        else:
            yield 1, (me, other, min(5 - me, turn + 1)), 0, 1
            yield 1, (other, me, 0), 1, -1
