"""A dozen ways, a board with many actions that share afterstates. The player throws a die repeatedly, and after each
throw advances by its face plus one to twelve squares. A square pays the last digit of seven times its number."""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, State, parameter

MORE = {f"{more} more": more for more in range(1, 13)}
NAMES = tuple(MORE)


@dataclass(frozen=True)
class Rules(Board):
    """A road of squares."""

    squares: int = parameter(1000, "squares of the road", low=1, high=10**7)

    title = "A dozen ways"
    citation = "a benchmark"
    objectives = {"points": Objective("expected points on the way", "points")}  # noqa: RUF012
    columns = (Column("square", int, "the square"), Column("face", int, "what the die shows"))

    def start(self) -> int:
        return 0

    def actions(self, state: State) -> tuple[str, ...]:
        return NAMES

    def afterstate(self, state: State, action: str) -> int:
        square, face = state
        return square + face + MORE[action]

    def outcomes(self, afterstate: int) -> Iterator[tuple]:
        if afterstate > self.squares:
            yield 1, None, 0, 1
            return
        for face in range(1, 7):
            yield 1, (afterstate, face), afterstate * 7 % 10, 1
