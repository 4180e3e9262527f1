"""The high jump and the pole vault of Knizia's Decathlon: clear heights of 10, 12, 14, ..., or skip them.

At each height you skip it, or go for it with three jumps. In the high jump five dice are thrown, in the pole vault as
many as you choose before each jump, up to eight; where their sum is the height or more it is cleared, but a 1 makes a
vault invalid. After three invalid jumps at a height the event is over. The largest height cleared counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, convolve, parameter

FIRST, STEP, JUMPS = 10, 2, 3
DICE = {"high_jump": 5, "pole_vault": 8}


@cache
def _at_least(height: int, dice: int, least: int) -> int:
    """How many throws of valid faces, which go from the least one to 6, have this sum or more."""
    sums = convolve(dict.fromkeys(range(least, 7), 1), dice)
    return sum(weight for total, weight in sums.items() if total >= height)


@dataclass(frozen=True)
class Rules(Board):
    """One athlete who jumps, for the largest height."""

    event: str = parameter(
        "high_jump",
        "the event",
        choices={
            "high_jump": "jumps of five dice",
            "pole_vault": "jumps of one to eight dice, none of which may show 1",
        },
    )

    title = "Decathlon: heights"
    citation = "R. Knizia (2003), Decathlon, knizia.de: high jump, pole vault"
    objectives = {"points": Objective("expected largest height cleared", "points")}
    columns = (
        Column("height", int, "height of the bar", "points"),
        Column("cleared", int, "largest height cleared; 0: none", "points"),
        Column("jumps_left", int, "jumps that are left at this height"),
    )

    def start(self) -> tuple[int, int, int, int]:
        return FIRST, 0, JUMPS, 0

    def actions(self, state: tuple[int, int, int]) -> list[str]:
        most = DICE[self.event]
        jumps = [f"jump with {n} {'die' if n == 1 else 'dice'}" for n in range(1, most + 1)]
        return (["skip"] if state[2] == JUMPS else []) + (jumps if self.event == "pole_vault" else jumps[-1:])

    def afterstate(self, state: tuple[int, int, int], action: str) -> tuple[int, int, int, int]:
        """(height, cleared, jumps left, dice to be thrown)."""
        height, cleared, jumps = state
        if action == "skip":
            return height + STEP, cleared, JUMPS, 0
        return height, cleared, jumps - 1, int(action.split()[2])

    def outcomes(self, afterstate: tuple[int, int, int, int]) -> Iterator[Outcome]:
        height, cleared, jumps, dice = afterstate
        if not dice:
            yield self._at(1, height, cleared, JUMPS)
            return
        clears = _at_least(height, dice, 2 if self.event == "pole_vault" else 1)
        if clears:
            yield self._at(clears, height + STEP, height, JUMPS)
        if clears < 6**dice:
            yield self._at(6**dice - clears, height, cleared, jumps)

    def _at(self, weight: int, height: int, cleared: int, jumps: int) -> Outcome:
        over = not jumps or height > 6 * DICE[self.event]
        return Outcome(weight, None, cleared) if over else Outcome(weight, (height, cleared, jumps))
