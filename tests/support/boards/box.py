"""Shut some of four tiles that sum to the roll of two three-sided dice, until no such tiles are open."""

from dataclasses import dataclass
from itertools import chain, combinations
from typing import ClassVar

from dicebase.vocabulary import Board, Column, Dice, Objective, Outcome, Tiles, parameter


@dataclass(frozen=True)
class Rules(Board):
    tiles: int = parameter(4, "tiles in the box", low=1, high=6)

    title = "Box"
    citation = "A game made up for a test"
    objectives: ClassVar = {
        "win": Objective("chance to shut all tiles", "probability"),
        "left": Objective("expected sum of the tiles left open", "points", -1),
    }
    # The largest open tile comes first, so that sorting the digits as dice does not give a position.
    columns = (Column("open", str, "the tiles that are open"), Column("roll", str, "the dice"))

    @property
    def drawing(self):
        return Tiles("open", "123456"[: self.tiles]), Dice("roll")

    def start(self):
        return "654321"[6 - self.tiles :]

    def actions(self, state):
        return [f"shut {tiles}" for tiles in _sums(state[0], sum(map(int, state[1])))]

    def afterstate(self, state, action):
        return "".join(tile for tile in state[0] if tile not in action)

    def outcomes(self, after):
        won, left = self.objective == "win", sum(map(int, after))
        if not after:
            yield Outcome(1, None, int(won))
            return
        for a, b in ("11", "22", "33", "12", "13", "23"):
            weight, is_over = 2 - (a == b), not _sums(after, int(a) + int(b))
            yield Outcome(weight, None, 0 if won else left) if is_over else Outcome(weight, (after, a + b))


def _sums(tiles, total):
    ways = chain.from_iterable(combinations(tiles, n) for n in range(1, len(tiles) + 1))
    return ["".join(way) for way in ways if sum(map(int, way)) == total]
