"""Patterns: toss a fair or a bent coin until heads, tails, heads appear in a row."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Patterns."""

    title = "Patterns"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (Column("done", int, "how much of the pattern stands"),)

    def start(self):
        return (0, "")

    def actions(self, state):
        return ["fair", "bent"]

    def afterstate(self, state, action):
        return (state[0], action)

    def outcomes(self, afterstate):
        done, coin = afterstate
        if not coin:
            yield 1, (0,), 0, 1
            return
        heads, tails = (1, 1) if coin == "fair" else (2, 1)
        yield heads, None if done == 2 else (1,), 1, 1
        yield tails, (2 if done == 1 else 0,), 1, 1
