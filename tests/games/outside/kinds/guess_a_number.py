"""Guess a number: each guess is called too low, too high or right."""

from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective


@dataclass(frozen=True)
class Rules(Board):
    """Guess a number."""

    title = "Guess a number"
    citation = "a test"
    objectives = {"turns": Objective("expected number of turns", "turns", -1)}
    columns = (
        Column("low", int, "the least possible number"),
        Column("high", int, "the largest"),
    )

    def start(self):
        return (1, 20, 0)

    def actions(self, state):
        return [str(n) for n in range(state[0], state[1] + 1)]

    def afterstate(self, state, action):
        return (*state, int(action))

    def outcomes(self, afterstate):
        low, high, guess = afterstate
        if not guess:
            yield 1, (low, high), 0, 1
            return
        yield 1, None, 1, 1
        if guess > low:
            yield guess - low, (low, guess - 1), 1, 1
        if guess < high:
            yield high - guess, (guess + 1, high), 1, 1
