"""THINK: throw two dice as often as you like and add up their sums, for so many turns.

A turn begins with a throw. A single 1 loses the points of the turn and ends it; a double 1 loses all points, those of
earlier turns as well, and ends it. Whoever stops keeps the points of the turn. The most points after the last turn are
played for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter, sums

# A throw without a 1: each die shows 2 to 6, one more than a die of five sides.
THROWS = {total + 2: weight for total, weight in sums(5, 2).items()}
DOUBLE_1, SINGLE_1, ALL = 1, 10, 36


@dataclass(frozen=True)
class Rules(Board):
    """THINK for one player, who plays for the most points in the mean."""

    turns: int = parameter(5, "turns", low=1, high=20)

    title = "THINK"
    citation = "T. Neller and C. Presser (2004), Optimal play of the dice game Pig, UMAP J. 25(1), pp. 41-42"
    objectives = {"points": Objective("expected points after the last turn", "points")}
    columns = (
        Column("turns_left", int, "turns left, with the one that is played", "turns"),
        Column("points", int, "points of the turns before", "points"),
        Column("turn_total", int, "points of this turn so far", "points"),
    )

    @property
    def note(self) -> str:
        totals = ", ".join(str(_stop_from(left)) for left in range(self.turns, 0, -1))
        return f"Whatever the points, stopping is best in turn 1, 2, ... from these totals on, and done: {totals}"

    def start(self) -> tuple[int, int]:
        return self.turns, 0

    def actions(self, state: tuple[int, int, int]) -> list[str]:
        return ["roll", "stop"] if state[2] else ["roll"]

    def afterstate(self, state: tuple[int, int, int], action: str) -> tuple:
        """(turns left, points) between two turns; the state where the dice are thrown."""
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
            return f"from a turn total of {_stop_from(left)} on stopping is best, and the points are banked"
        return super().why_missing(state)


def _next_turn(weight: int, left: int, points: int) -> Outcome:
    return Outcome(weight, (left, points, 0)) if left else Outcome(weight, None, points)


@cache
def _stop_from(left: int) -> int:
    """The turn total from which on stopping is best, whatever the points.

    Let V(p) be what p points are worth when n turns are left after this one. Whoever has d points more and plays as if
    not has d more at the end, unless a double 1 falls; whoever has d less and plays as if not has at most d less, and
    no less where one falls. A turn ends by a double 1 with the chance 1/11 at most, however long one throws, as a
    single 1 is ten times as likely; and with 1/36 at least, as it begins by a throw. So, for points p before this turn,

        (10/11)^n d  <=  V(p + d) - V(p)  <=  (35/36)^n d.

    At a turn total of t one more throw thus loses at least 11/36 (10/11)^n t, as a 1 leaves V(p) or V(0) in the place
    of V(p + t), and gains at most 1/36 (35/36)^n times the points of all throws. Where it loses it does on larger
    totals as well; so no number of throws gains.
    """
    n, gain = left - 1, sum(throw * weight for throw, weight in THROWS.items())
    loses = (DOUBLE_1 + SINGLE_1) * 10**n * ALL**n
    return -(-gain * (ALL - DOUBLE_1) ** n * 11**n // loses)
