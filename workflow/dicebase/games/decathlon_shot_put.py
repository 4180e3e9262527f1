"""The shot put of Knizia's Decathlon: three attempts, of which the best counts.

In an attempt, throw up to eight dice one after another and stop whenever you like; their sum counts. A 1 makes the
attempt invalid, and it counts 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, Scale, parameter


@dataclass(frozen=True)
class Rules(Board):
    """One athlete's event."""

    attempts: int = parameter(3, "attempts, of which the best counts", low=1, high=3)
    dice: int = parameter(8, "largest number of dice in an attempt", low=1, high=8)

    title = "Decathlon: shot put"
    citation = "R. Knizia (2003), Decathlon, knizia.de: shot put"
    objectives = {"points": Objective("expected points of the best attempt", "points")}
    columns = (
        Column("attempts_left", int, "attempts left, including the current one"),
        Column("best", int, "points of the best attempt before", "points"),
        Column("thrown", int, "dice thrown in this attempt"),
        Column("total", int, "their sum", "points"),
    )
    drawing = (Scale("total", "best"),)

    def start(self) -> tuple[int, int, int, int]:
        return self.attempts, 0, 0, 0

    def actions(self, state: tuple[int, int, int, int]) -> list[str]:
        return ["throw", "stop"] if state[2] else ["throw"]

    def afterstate(self, state: tuple[int, int, int, int], action: str) -> tuple[int, int, int, int]:
        """The state before the next die; after `stop` it belongs to the next attempt."""
        left, best, _, total = state
        return state if action == "throw" else (left - 1, max(best, total), 0, 0)

    def outcomes(self, afterstate: tuple[int, int, int, int]) -> Iterator[Outcome]:
        left, best, thrown, total = afterstate
        if not left:
            yield Outcome(1, None, best)
            return
        yield self._next_attempt(left, best, 0)
        for face in range(2, 7):
            if thrown + 1 == self.dice:
                yield self._next_attempt(left, best, total + face)
            else:
                yield Outcome(1, (left, best, thrown + 1, total + face))

    def _next_attempt(self, left: int, best: int, points: int) -> Outcome:
        """The outcome of an attempt that ends with `points` points; `left` includes this attempt."""
        best = max(best, points)
        return Outcome(1, (left - 1, best, 0, 0)) if left > 1 else Outcome(1, None, best)
