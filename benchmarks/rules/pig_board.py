"""Pig's duel as a board: every position with its turn total, without the vocabulary of turns."""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, State, parameter


@dataclass(frozen=True)
class Rules(Board):
    """Pig with one die."""

    target: int = parameter(100, "points that win", low=1, high=1000)

    title = "Pig as a board"
    citation = "a benchmark"
    objectives = {"duel": Objective("chance of the mover to win", "probability")}  # noqa: RUF012
    columns = (
        Column("me", int, "points of the mover", "points"),
        Column("opponent", int, "points of the opponent", "points"),
        Column("turn_total", int, "points of the turn", "points"),
    )

    def start(self) -> State:
        return (0, 0)

    def actions(self, state: State) -> tuple[str, ...]:
        return ("hold", "roll") if state[2] else ("roll",)

    def afterstate(self, state: State, action: str) -> State:
        """Return (me, opponent) at the start of a turn, or the position before a roll."""
        me, opponent, total = state
        return (opponent, me + total) if action == "hold" else state

    def outcomes(self, afterstate: State) -> Iterator[tuple]:
        me, opponent, *rolled = afterstate
        if not rolled:
            # The first turn keeps the mover; at later turns players change roles, because the opponent has just held.
            yield 1, (me, opponent, 0), int(opponent > 0), -1 if opponent else 1
            return
        (total,) = rolled
        yield 1, (opponent, me, 0), 1, -1
        for face in range(2, 7):
            if me + total + face >= self.target:
                yield 1, None, 1, 1
            else:
                yield 1, (me, opponent, total + face), 0, 1
