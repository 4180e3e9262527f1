"""Shut the Box: throw two dice and shut open tiles with the same sum, again and again.

Tiles are numbered from 1 and all open at first. If no open tiles have the sum of the dice, the game ends and the open
tiles are counted; with every tile shut, you have shut the box. Under some rules you may throw one die instead of two
when only low tiles are left; you decide before each throw.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from dicebase.vocabulary import Board, Column, Objective, Outcome, Tiles, afterstate_by_action, parameter, sums

LABELS = "123456789ABC"


@dataclass(frozen=True)
class Rules(Board):
    """One player's game of Shut the Box."""

    tiles: int = parameter(9, "tiles, numbered from 1", low=2, high=12)
    one_die: str = parameter(
        "never",
        "when one die may be thrown instead of two",
        choices={
            "never": "two dice are always thrown",
            "above_6_shut": "one die may be thrown once 7, 8, 9 and all higher tiles are shut",
            "sum_at_most_6": "one die may be thrown once the open tiles sum to at most 6",
        },
    )

    title = "Shut the Box"
    citation = "W. Butler, 'Shut The Box' Analysis, durangobill.com/ShutTheBox.html, and what others say of one die"
    objectives = {
        "win": Objective("chance to shut the box", "probability"),
        "score": Objective("expected sum of the tiles left open", "points", -1),
    }
    features = {
        "tiles": lambda afterstate: len(afterstate[0]),
        "highest": lambda afterstate: int(afterstate[0][-1:] or "0", 16),
        "lowest": lambda afterstate: int(afterstate[0][:1] or "0", 16),
        "low": lambda afterstate: sum(tile <= "3" for tile in afterstate[0]),
    }
    columns = (
        Column("open", str, "open tiles, one character each: A is 10, B 11, C 12"),
        Column("roll_total", int, "sum of the dice; 0: not yet thrown, with a choice of one die or two", "points"),
    )

    @property
    def drawing(self) -> tuple[Tiles]:
        return (Tiles("open", LABELS[: self.tiles]),)

    def start(self) -> tuple[str, int]:
        return LABELS[: self.tiles], 0

    def actions(self, state: tuple[str, int]) -> list[str]:
        return list(_shut(*state)) if state[1] else ["roll two dice", "roll one die"]

    def afterstate(self, state: tuple[str, int], action: str) -> tuple[str, int]:
        if state[1]:
            return _shut(*state)[action], 0
        return state[0], 1 if action == "roll one die" else 2

    def outcomes(self, afterstate: tuple[str, int]) -> Iterator[Outcome]:
        tiles, dice = afterstate
        win = self.objective == "win"
        if not tiles:
            yield Outcome(1, None, 1 if win else 0)
        elif not dice and self._one_die_may_do(tiles):
            yield Outcome(1, (tiles, 0))
        else:
            for total, weight in sums(6, dice or 2).items():
                if _shut(tiles, total):
                    yield Outcome(weight, (tiles, total))
                else:
                    yield Outcome(weight, None, 0 if win else _sum(tiles))

    def _one_die_may_do(self, tiles: str) -> bool:
        if self.one_die == "above_6_shut":
            return tiles[-1] < "7"
        return self.one_die == "sum_at_most_6" and _sum(tiles) <= 6

    def why_missing(self, state: tuple[str, int]) -> str:
        tiles, total = state
        if not tiles or set(tiles) - set(LABELS[: self.tiles]) or list(tiles) != sorted(set(tiles)):
            return f"the open tiles are some of {LABELS[: self.tiles]}, in this order"
        if total == 0 and not self._one_die_may_do(tiles):
            return "two dice are thrown here, because one die is not allowed"
        if 1 <= total <= 12 and not _shut(tiles, total):
            return f"no open tiles sum to {total}: the game is over"
        return super().why_missing(state)


def _sum(tiles: Iterable[str]) -> int:
    return sum(int(tile, 16) for tile in tiles)


@cache
def _shut(tiles: str, total: int) -> dict[str, str]:
    """Return {action: open tiles after it} for all ways to shut tiles with this sum, fewest tiles first."""
    small = [tile for tile in tiles if int(tile, 16) <= total]
    # At most four tiles are shut: five sum to at least 15, and two dice to at most 12.
    ways = [shut for many in range(1, 5) for shut in combinations(small, many) if _sum(shut) == total]
    return afterstate_by_action((_called(shut), "".join(t for t in tiles if t not in shut)) for shut in ways)


def _called(shut: Iterable[str]) -> str:
    return " ".join(["shut", *(str(int(tile, 16)) for tile in shut)])
