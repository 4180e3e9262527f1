"""Small backgammon: two checkers each race past one another and off a short board, and a single checker can be hit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dicebase.vocabulary import Board, Column, Objective, Outcome, afterstate_by_action, parameter

Pair = tuple[int, int]


@dataclass(frozen=True)
class Rules(Board):
    """Two checkers each; two dice, each of which must be used if it can be."""

    points: int = parameter(8, "points of the board", low=4, high=24)
    sides: int = parameter(3, "sides of each die", low=2, high=6)

    title = "Small backgammon"
    citation = "a benchmark"
    objectives: ClassVar = {"points": Objective("points that the mover wins", "points", players=2)}
    columns = (
        *(Column(name, int, "pips to go") for name in ("back", "front", "their_back", "their_front")),
        Column("roll", str, "the dice"),
    )

    def start(self) -> tuple[int, ...]:
        return (self.points, self.points, self.points, self.points)

    def actions(self, state: tuple) -> list[str]:
        return list(self._plays(state))

    def afterstate(self, state: tuple, action: str) -> tuple[int, ...]:
        return self._plays(state)[action]

    def _plays(self, state: tuple) -> dict[str, tuple[int, ...]]:
        back, front, *theirs, roll = state
        low, high = map(int, roll)
        found = self._moved([("", (back, front), tuple(theirs))], low, high)
        if low != high:
            found += self._moved([("", (back, front), tuple(theirs))], high, low)
        together = {}
        for said, mine, others in found:
            together.setdefault((*others, *mine), said or "pass")
        return afterstate_by_action((said, after) for after, said in together.items())

    def _moved(self, sides: list[tuple[str, Pair, Pair]], *dice: int) -> list[tuple[str, Pair, Pair]]:
        for die in dice:
            sides = [after for side in sides for after in self._moves(*side, die) or [side]]
        return sides

    def _moves(self, said: str, mine: Pair, theirs: Pair, die: int) -> list[tuple[str, Pair, Pair]]:
        found, end = [], self.points + 1
        for i, at in enumerate(mine):
            to = max(at - die, 0)
            if at == 0 or (at != mine[0] == end) or (to and theirs.count(end - to) == 2):
                continue
            left, right = sorted((to, mine[1 - i]), reverse=True)
            back, front = sorted((end if to and p == end - to else p for p in theirs), reverse=True)
            found.append((f"{said} {at}/{to}".strip(), (left, right), (back, front)))
        return found

    def outcomes(self, afterstate: tuple[int, ...]) -> Iterator[Outcome]:
        *mine, back, front = afterstate
        if back == 0:
            yield 1, None, 1 + (0 not in mine), 1
            return
        for low in range(1, self.sides + 1):
            for high in range(low, self.sides + 1):
                yield 1 + (low < high), (*mine, back, front, f"{low}{high}"), 0, -1
