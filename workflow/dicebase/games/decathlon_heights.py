"""The high jump and pole vault of Knizia's Decathlon: clear heights of 10, 12, 14, ..., or skip them.

At each height you skip or try up to three jumps. The high jump throws five dice; in the pole vault you choose up to
eight dice before each jump. A jump clears the height if the sum of its dice is at least the height, but a 1 makes a
vault invalid. Three failed jumps at a height end the event. The largest height cleared counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, Scale, convolve, parameter

FIRST, STEP, JUMPS = 10, 2, 3
DICE = {"high_jump": 5, "pole_vault": 8}


@cache
def _at_least(height: int, dice: int, least: int) -> int:
    """The number of throws with faces from `least` to 6 whose sum is at least `height`."""
    sums = convolve(dict.fromkeys(range(least, 7), 1), dice)
    return sum(weight for total, weight in sums.items() if total >= height)


@dataclass(frozen=True)
class Rules(Board):
    """One athlete's event."""

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
        Column("jumps_left", int, "jumps left at this height"),
    )
    drawing = (Scale("height", "cleared"),)

    def start(self) -> tuple[int, int, int, int]:
        return FIRST, 0, JUMPS, 0

    def actions(self, state: tuple[int, int, int]) -> list[str]:
        most = DICE[self.event]
        jumps = [f"jump with {n} {'die' if n == 1 else 'dice'}" for n in range(1, most + 1)]
        return (["skip"] if state[2] == JUMPS else []) + (jumps if self.event == "pole_vault" else jumps[-1:])

    def afterstate(self, state: tuple[int, int, int], action: str) -> tuple[int, int, int, int]:
        """Return (height, height cleared, jumps left, dice to throw)."""
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
