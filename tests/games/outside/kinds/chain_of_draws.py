"""Chain of draws: a coin is thrown until heads, without a decision between, and each tail adds a point; two lives."""

from dataclasses import dataclass

from dicebase.vocabulary import After, Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    title, citation = "Chain of draws", "a test"
    objectives = {"points": Objective("expected points", "points")}
    columns = (Column("lives", int, "lives left"), Column("points", int, "points not yet kept"))
    chained = True

    def start(self):
        return (2, 0, 4)

    def actions(self, state):
        return ["keep", "risk"] if state[1] else ["risk"]

    def afterstate(self, state, action):
        return (*state, 4 if action == "risk" else 0)

    def outcomes(self, afterstate):
        lives, points, coins = afterstate
        if not coins:
            yield (1, (lives - 1, 0), points, 1) if lives > 1 else (1, None, points, 1)
            return
        yield 3, (lives, min(points, 9)), 0, 1
        yield 1, (lives - 1, 0) if lives > 1 else None, 0, 1
        yield 4, After((lives, points + 1, coins - 1)) if coins > 1 else (lives, min(points + 1, 9)), 0, 1
