"""Hypergammon: backgammon with few checkers, which begin far from home.

Each player begins with a checker on each of the points 24, 23 and 22 of their own count, or on the first of these. In a
turn throw two dice, and move a checker by each, or play a double four times. A point with two or more of the opponent's
checkers is closed. If you land on a single checker, it goes to the bar and has to enter again before its owner moves
another checker. Once all your checkers are within the points 6 to 1, bear them off by the exact number, or from your
highest point by a larger one. Use both dice if you can, and if only one of them can be used, the larger one.

Each player throws a die to begin; the higher one plays both, so the first throw is no double. The first player whose
checkers are all off wins 1 point; 2 (a gammon) if the loser has borne off no checker; 3 (a backgammon) if one of the
loser's checkers is also on the bar or within the winner's points 6 to 1. There is no doubling cube.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

from dicebase.vocabulary import (
    Column,
    CompiledBoard,
    Dice,
    Objective,
    Outcome,
    afterstate_by_action,
    multisets,
    parameter,
)

BAR, OFF, POINTS, HOME = 25, 0, 24, 6
THROWS = {f"{a}{b}": weight for (a, b), weight in multisets(6, 2)}
OPENING = ()
Checkers = tuple[int, ...]
Side = tuple[Checkers, Checkers]  # the points of my checkers, highest first, and of the opponent's by their own count


def written(checkers: Checkers) -> str:
    return "-".join(map(str, checkers))


def read(text: str) -> Checkers:
    return tuple(map(int, text.split("-")))


@dataclass(frozen=True)
class Rules(CompiledBoard):
    """Hypergammon has three checkers on each side."""

    checkers: int = parameter(3, "checkers of each player", low=1, high=3)

    title = "Hypergammon"
    citation = "T. Keith, Hypergammon, in: Backgammon Galore, which prints the value of the winner of the opening roll"
    objectives = {"points": Objective("expected points that the mover wins", "points", players=2)}
    numbered = (
        Column("mine", str, "the points of my checkers, highest first; 25 is the bar, 0 is off"),
        Column("theirs", str, "the opponent's checkers, counted from the opponent's side"),
    )
    columns = (*numbered, Column("roll", str, "the two dice, as sorted digits"))
    drawing = (Dice("roll"),)

    def size(self, layer: str) -> int:
        def placed(points: int, most: int) -> int:
            """Ways to place up to `most` checkers that occupy exactly `points` points, the others on the bar or off."""
            rest = range(points, most + 1)
            return sum(comb(on - 1, points - 1) * (most - on + 1) for on in rest) if points else most + 1

        n = self.checkers
        both = [(i, j) for i in range(n + 1) for j in range(n + 1)]
        placements = sum(comb(POINTS, i) * comb(POINTS - i, j) * placed(i, n) * placed(j, n) for i, j in both)
        return placements - 2 * comb(POINTS + 1 + n, n) + 1  # without the ended ones

    def start(self) -> tuple[()]:
        return OPENING

    @cached_property
    def _first(self) -> str:
        return written(tuple(range(POINTS, POINTS - self.checkers, -1)))

    def actions(self, state: tuple[str, str, str]) -> list[str]:
        return list(plays(*state))

    def afterstate(self, state: tuple[str, str, str], action: str) -> tuple[str, str]:
        """The checkers of the player to throw next, and of the player who moved."""
        return plays(*state)[action]

    def outcomes(self, afterstate: tuple[str, ...]) -> Iterator[Outcome]:
        if afterstate == OPENING:
            yield from (Outcome(1, (self._first, self._first, roll)) for roll in THROWS if roll[0] != roll[1])
            return
        loser, winner = map(read, afterstate)
        if not any(winner):
            yield Outcome(1, None, points_won(loser))
            return
        for roll, weight in THROWS.items():
            yield Outcome(weight, (*afterstate, roll), 0, -1)


def points_won(loser: Checkers) -> int:
    """The points that the winner gets from a player with these checkers."""
    return 1 if OFF in loser else 2 if loser[0] <= POINTS - HOME else 3


@lru_cache(maxsize=1 << 12)
def plays(mine: str, theirs: str, roll: str) -> dict[str, tuple[str, str]]:
    """The plays of a roll in standard notation, each with the position as the opponent sees it. Of plays with the same
    result only one is listed."""
    high, low = sorted(map(int, roll), reverse=True)
    side = read(mine), read(theirs)
    found = [
        p for dice in ([[high] * 4] if high == low else [[high, low], [low, high]]) for p in _sequences(side, dice)
    ]
    longest = max(len(moves) for moves, _ in found)
    found = [(moves, after) for moves, after in found if len(moves) == longest]
    if longest == 1:
        larger = [(moves, after) for moves, after in found if moves[0][2] == high]
        found = larger or found
    by_result = {after: " ".join(f"{a}/{b}" for a, b, _ in moves) or "pass" for moves, after in reversed(found)}
    return afterstate_by_action((said, (written(o), written(m))) for (m, o), said in reversed(by_result.items()))


def _sequences(side: Side, dice: list[int]) -> list[tuple[list[tuple[str, str, int]], Side]]:
    """The ways to move checkers by dice in this order until no move is left, as (moves, position after them)."""
    found = []
    for moved, after in _moves(side, dice[0]) if dice else ():
        found += [([moved, *moves], last) for moves, last in _sequences(after, dice[1:])]
    return found or [([], side)]


def _moves(side: Side, die: int) -> Iterator[tuple[tuple[str, str, int], Side]]:
    mine, theirs = side
    for at in sorted({*mine} - {OFF}, reverse=True):
        to = max(at - die, OFF)
        if (mine[0] == BAR and at != BAR) or (theirs.count(BAR - to) > 1 and to):
            continue
        if at - die <= 0 and (mine[0] > HOME or (at < die and at != mine[0])):
            continue
        left = list(mine)
        left[left.index(at)] = to
        hit = to and BAR - to in theirs
        struck = tuple(sorted((BAR if hit and p == BAR - to else p for p in theirs), reverse=True))
        said = ("bar" if at == BAR else str(at), ("off" if to == OFF else str(to)) + "*" * bool(hit), die)
        yield said, (tuple(sorted(left, reverse=True)), struck)
