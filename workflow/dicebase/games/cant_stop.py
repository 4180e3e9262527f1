"""Can't Stop for one player: climb columns to their tops with four dice, in as few turns as possible.

Each sum of two dice has a column; columns nearer the middle are longer. Throw four dice, split them into two pairs and
climb one square in the column of each pair's sum. A turn has three markers, one for each column climbed in it; a
complete column is closed. You must climb in both columns if you can, otherwise in one; if only one marker is left for
two new columns, you choose. Then throw again, or stop and keep the squares climbed. If no split lets you climb, the
turn ends and its squares are lost. You win when enough columns are complete.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import ne

from dicebase.vocabulary import (
    Board,
    Column,
    Dice,
    Objective,
    Outcome,
    Piles,
    afterstate_by_action,
    multisets,
    parameter,
)

MARKERS, DIGITS, NOT_THROWN = 3, "0123456789ABCDEF", "-"
BEGIN, THROW, CLIMB, STOP = "begin", "throw", "climb", "stop"


@dataclass(frozen=True)
class Rules(Board):
    """S. Sackson's game for one player; the full game has six-sided dice, columns of 3 to 13 squares and goal 3."""

    sides: int = parameter(2, "sides of each of the four dice", low=2, high=6)
    shortest: int = parameter(2, "squares of the outer columns; the next ones have 2 more, and so on", low=1, high=3)
    goal: int = parameter(3, "columns to complete", low=1, high=3)

    title = "Can't Stop"
    citation = "S. Sackson (1980); J. Glenn, H. Fang and C. Kruskal (2007), a retrograde algorithm for one player"
    objectives = {"turns": Objective("expected number of turns until enough columns are complete", "turns", -1)}
    columns = (
        Column("kept", str, "squares climbed before this turn, a character for each column from 2 on; A is 10"),
        Column("climbed", str, "the same with this turn's markers"),
        Column("roll", str, "the four dice, as sorted digits; - before a throw"),
    )

    @property
    def drawing(self) -> tuple[Piles, Piles, Dice]:
        sums = tuple(str(i) for i, _ in enumerate(self._tops, 2))
        return Piles("kept", sums, self._tops), Piles("climbed", sums, self._tops), Dice("roll")

    @cached_property
    def _tops(self) -> tuple[int, ...]:
        middle = self.sides - 1
        return tuple(self.shortest + 2 * (middle - abs(i - middle)) for i in range(2 * self.sides - 1))

    def start(self) -> tuple[str, str, str]:
        return BEGIN, *["0" * len(self._tops)] * 2

    def actions(self, state: tuple[str, str, str]) -> list[str]:
        kept, climbed, roll = state
        if roll == NOT_THROWN:
            return [THROW] if kept == climbed else [THROW, STOP]
        return list(_climbs(kept, climbed, roll, self._tops))

    def afterstate(self, state: tuple[str, str, str], action: str) -> tuple[str, str, str]:
        """Return (last step, squares kept, squares climbed); a step is begin, throw, climb or stop."""
        kept, climbed, roll = state
        if roll == NOT_THROWN:
            return action, climbed if action == STOP else kept, climbed
        return CLIMB, kept, _climbs(kept, climbed, roll, self._tops)[action]

    def outcomes(self, afterstate: tuple[str, str, str]) -> Iterator[Outcome]:
        done, kept, climbed = afterstate
        if done != THROW:
            complete = sum(int(n, 16) == top for n, top in zip(climbed, self._tops, strict=True))
            if complete >= self.goal:
                yield Outcome(1, None, 1)
            else:
                yield Outcome(1, (kept, climbed, NOT_THROWN), int(done == STOP))
            return
        lost, opened = 0, _open(kept, climbed, self._tops)
        for roll, weight, columns in _rolls(self.sides):
            if opened.isdisjoint(columns):
                lost += weight
            else:
                yield weight, (kept, climbed, roll), 0, 1
        if lost:
            yield Outcome(lost, (kept, kept, NOT_THROWN), 1)

    def picture(self, state: tuple[str, str, str]) -> str:
        """One line per column: x kept, + climbed in this turn, . left."""
        kept, climbed = ([int(n, 16) for n in column] for column in state[:2])
        columns = enumerate(zip(kept, climbed, self._tops, strict=True), 2)
        return "\n".join(f"{i:>2}  {'x' * a}{'+' * (b - a)}{'.' * (top - b)}" for i, (a, b, top) in columns)


@lru_cache(maxsize=10_000)
def _climbs(kept: str, climbed: str, roll: str, tops: tuple[int, ...]) -> dict[str, str]:
    """Return {action: climbed squares after it} for all ways to climb."""
    return afterstate_by_action(_ways(kept, climbed, roll, tops))


def _ways(kept: str, climbed: str, roll: str, tops: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    """Yield (action, climbed squares after it) for each way to climb, with repetitions."""
    opened = _open(kept, climbed, tops)
    for pair in _pairs(roll):
        for one, other in (pair, pair[::-1]):
            if one in opened:
                higher = _up(climbed, one)
                both = other in _open(kept, higher, tops)
                yield (_called(*pair), _up(higher, other)) if both else (_called(one), higher)


@cache
def _called(*columns: int) -> str:
    return " ".join(["climb", *(str(column + 2) for column in columns)])


@lru_cache(maxsize=10_000)
def _open(kept: str, climbed: str, tops: tuple[int, ...]) -> frozenset[int]:
    """The incomplete columns that can be climbed: all if a marker is free, otherwise those with a marker."""
    left = sum(map(ne, kept, climbed)) < MARKERS
    columns = enumerate(zip(kept, climbed, tops, strict=True))
    return frozenset(i for i, (a, b, top) in columns if (left or a != b) and int(b, 16) < top)


def _up(heights: str, column: int) -> str:
    return heights[:column] + DIGITS[int(heights[column], 16) + 1] + heights[column + 1 :]


@cache
def _rolls(sides: int) -> list[tuple[str, int, tuple[int, ...]]]:
    """Return [(four dice, weight, columns of all their pairs)] in rising order of the dice."""
    rolls = [("".join(map(str, faces)), weight) for faces, weight in multisets(sides, 4)]
    return [(roll, weight, sum(_pairs(roll), ())) for roll, weight in rolls]


@cache
def _pairs(roll: str) -> list[tuple[int, ...]]:
    """The ways to split four dice into pairs, each as two column indices from 0."""
    a, b, c, d = map(int, roll)
    splits = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return sorted({tuple(sorted((x - 2, y - 2))) for x, y in splits})
