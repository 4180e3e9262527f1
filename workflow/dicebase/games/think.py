"""THINK: throw two dice as often as you like and add up their sums, for a fixed number of turns.

A turn begins with a throw. A single 1 ends the turn and loses its points; a double 1 ends it and loses the points of
earlier turns as well. A player who stops keeps the points of the turn. The goal is the most points after the last turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter, sums

# A throw without a 1: each die shows 2 to 6, one more than a five-sided die.
THROWS = {total + 2: weight for total, weight in sums(5, 2).items()}
DOUBLE_1, SINGLE_1, ALL = 1, 10, 36


@dataclass(frozen=True)
class Rules(Board):
    """THINK for one player who maximises the expected number of points."""

    turns: int = parameter(5, "turns", low=1, high=20)

    title = "THINK"
    citation = "T. Neller and C. Presser (2004), Optimal play of the dice game Pig, UMAP J. 25(1), pp. 41-42"
    objectives = {"points": Objective("expected points after the last turn", "points")}
    columns = (
        Column("turns_left", int, "turns left, including the current one", "turns"),
        Column("points", int, "points of earlier turns", "points"),
        Column("turn_total", int, "points of this turn so far", "points"),
    )

    @property
    def note(self) -> str:
        totals = ", ".join(str(_stop_from(left)) for left in range(self.turns, 0, -1))
        return f"Stopping is best in turns 1, 2, ... from these totals on, whatever the points: {totals}"

    def start(self) -> tuple[int, int]:
        return self.turns, 0

    def actions(self, state: tuple[int, int, int]) -> list[str]:
        return ["roll", "stop"] if state[2] else ["roll"]

    def afterstate(self, state: tuple[int, int, int], action: str) -> tuple:
        """Return (turns left, points) between turns, and the state itself before a throw."""
        left, points, total = state
        return (left - 1, points + total) if action == "stop" else state

    def outcomes(self, afterstate: tuple) -> Iterator[Outcome]:
        if len(afterstate) == 2:
            yield _next_turn(1, *afterstate)
            return
        left, points, total = afterstate
        yield _next_turn(DOUBLE_1, left - 1, 0)
        yield _next_turn(SINGLE_1, left - 1, points)
        for throw, weight in THROWS.items():
            if total + throw < _stop_from(left):
                yield Outcome(weight, (left, points, total + throw))
            else:
                yield _next_turn(weight, left - 1, points + total + throw)

    def why_missing(self, state: tuple[int, int, int]) -> str:
        left, _, total = state
        if 1 <= left <= self.turns and total >= _stop_from(left):
            return f"from a turn total of {_stop_from(left)} on, stopping is best, and the points are banked"
        return super().why_missing(state)


def _next_turn(weight: int, left: int, points: int) -> Outcome:
    return Outcome(weight, (left, points, 0)) if left else Outcome(weight, None, points)


@cache
def _stop_from(left: int) -> int:
    """The turn total from which stopping is optimal with any number of points.

    Let V(p) be the value of p points when n turns are left after this one. A player with d more points who ignores them
    ends with d more, unless a double 1 falls; a player with d fewer points who plays as if they were there ends with at
    most d fewer, and with the same number if a double 1 falls. A turn ends by a double 1 with probability at most 1/11,
    however long it lasts, because a single 1 is ten times as likely; and with probability at least 1/36, because it
    begins with a throw. So, for p points before this turn,

        (10/11)^n d  <=  V(p + d) - V(p)  <=  (35/36)^n d.

    At turn total t, one more throw therefore loses at least 11/36 (10/11)^n t, because a 1 leaves V(p) or V(0) instead
    of V(p + t), and gains at most 1/36 (35/36)^n times the total points of all throws. If it loses at t, it loses at
    larger totals too, so no number of further throws gains.
    """
    n, gain = left - 1, sum(throw * weight for throw, weight in THROWS.items())
    loses = (DOUBLE_1 + SINGLE_1) * 10**n * ALL**n
    return -(-gain * (ALL - DOUBLE_1) ** n * 11**n // loses)
