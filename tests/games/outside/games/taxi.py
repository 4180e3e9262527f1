"""Taxi: fetch a passenger at one of four stands, and drive to another one.

Every action costs a point, and one that is not possible 10. Delivering the passenger earns 20.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dicebase.vocabulary import Board, Column, Objective, Outcome, State

CITY = ("|R: | : :G|", "| : | : : |", "| : : : : |", "| | : | : |", "|Y| : |B: |")
STANDS = ((0, 0), (0, 4), (4, 0), (4, 3))
STEPS = {"south": (1, 0), "north": (-1, 0), "east": (0, 1), "west": (0, -1)}
ABOARD = 4


@dataclass(frozen=True)
class Rules(Board):
    """Positions before an action; the passenger waits at stand 0 to 3 or is aboard."""

    title = "Taxi"
    citation = "Dietterich (2000), Hierarchical reinforcement learning with the MAXQ value function decomposition"
    objectives = {
        "points": Objective("sum of rewards", "points"),
        "discounted": Objective("discounted sum of rewards", "points"),
    }
    columns = (
        Column("y", int, "row of the taxi"),
        Column("x", int, "column of the taxi"),
        Column("passenger", int, "stand at which the passenger waits, or 4 aboard"),
        Column("destination", int, "stand to drive to"),
    )

    @property
    def discount(self) -> Fraction | int:
        return Fraction(99, 100) if self.objective == "discounted" else 1

    def start(self) -> None:
        return None

    def actions(self, state: State) -> tuple[str, ...]:
        return (*STEPS, "pick up", "drop off")

    def afterstate(self, state: State, action: str) -> State:
        return (*state, action)

    def outcomes(self, afterstate: State | None) -> Iterator[Outcome]:
        if afterstate is None:
            for n in range(25 * 4 * 4):
                if n // 4 % 4 != n % 4:
                    yield Outcome(1, (n // 80, n // 16 % 5, n // 4 % 4, n % 4))
            return
        row, column, passenger, destination, action = afterstate
        here = STANDS.index((row, column)) if (row, column) in STANDS else None
        if action == "pick up":
            yield self._went(row, column, ABOARD, destination) if passenger == here else self._wrong(afterstate)
        elif action == "drop off":
            if passenger != ABOARD or here is None:
                yield self._wrong(afterstate)
            else:
                yield Outcome(1, None, 20) if here == destination else self._went(row, column, here, destination)
        else:
            down, right = STEPS[action]
            wall = right and CITY[row][2 * column + 1 + right] == "|"
            yield self._went(min(4, max(0, row + down)), column + (0 if wall else right), passenger, destination)

    def _went(self, *state: int) -> Outcome:
        return Outcome(1, state, -1)

    def _wrong(self, afterstate: State) -> Outcome:
        return Outcome(1, afterstate[:4], -10)
