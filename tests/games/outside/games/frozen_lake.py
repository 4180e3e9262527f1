"""Frozen Lake: cross the ice to the goal without falling into a hole.

You slip: a step goes in the chosen direction or to either side of it, each with probability 1/3. A step off the edge
leaves you where you are.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, State

STEPS = {"left": (-1, 0), "down": (0, 1), "right": (1, 0), "up": (0, -1)}
ICE = ("SFFF", "FHFH", "FFFH", "HFFG")


@dataclass(frozen=True)
class Rules(Board):
    """The map 4x4, without a limit on the number of steps."""

    title = "Frozen Lake"
    citation = "Towers et al. (2024), Gymnasium: a standard interface for reinforcement learning environments"
    objectives = {"goal": Objective("chance to reach the goal", "probability")}
    columns = (Column("x", int, "column, from the left"), Column("y", int, "row, from the top"))
    unending = 0

    def start(self) -> State:
        return (0, 0, "")

    def actions(self, state: State) -> tuple[str, ...]:
        return tuple(STEPS)

    def afterstate(self, state: State, action: str) -> State:
        return (*state, action)

    def outcomes(self, afterstate: State) -> Iterator[Outcome]:
        x, y, action = afterstate
        if not action:
            yield Outcome(1, (x, y))
            return
        chosen = [*STEPS].index(action)
        for turn in (-1, 0, 1):
            dx, dy = [*STEPS.values()][(chosen + turn) % 4]
            there = min(3, max(0, x + dx)), min(3, max(0, y + dy))
            cell = ICE[there[1]][there[0]]
            yield Outcome(1, None if cell in "HG" else there, int(cell == "G"))
