"""The races of Knizia's Decathlon: throw sets of dice one after another, with five rethrows of whole sets in all.

Throw the first set. Either freeze it and throw the next one, or rethrow all of its dice. The five rethrows can be
divided between the sets in any way. A frozen set counts the sum of its dice, but over 100, 400 and 1500 metres each six
counts -6. The race ends when all sets are frozen.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Dice, Objective, Outcome, multisets, parameter

SETS = {"100_metres": (2, 4), "400_metres": (4, 2), "1500_metres": (8, 1), "110_metre_hurdles": (1, 5)}
RETHROWS = 5


@dataclass(frozen=True)
class Rules(Board):
    """One athlete's race."""

    event: str = parameter(
        "400_metres",
        "the race",
        choices={
            "100_metres": "two sets of four dice",
            "400_metres": "four sets of two dice",
            "1500_metres": "eight dice, one by one",
            "110_metre_hurdles": "five dice at once, of which a six counts six",
        },
    )

    title = "Decathlon: races"
    citation = "R. Knizia (2003), Decathlon, knizia.de: 100 metres, 400 metres, 110 metre hurdles, 1500 metres"
    objectives = {"points": Objective("expected points of the sets not yet frozen", "points")}
    columns = (
        Column("sets_left", int, "sets not yet frozen, including the current one"),
        Column("rethrows_left", int, "rethrows left"),
        Column("roll", str, "the set as thrown, as sorted digits"),
    )
    drawing = (Dice("roll"),)

    def start(self) -> tuple[int, int, int]:
        return SETS[self.event][0], RETHROWS, 0

    def actions(self, state: tuple[int, int, str]) -> list[str]:
        return ["freeze", "rethrow"] if state[1] else ["freeze"]

    def afterstate(self, state: tuple[int, int, str], action: str) -> tuple[int, int, int]:
        """Return (sets left, rethrows left, points just frozen)."""
        sets, rethrows, roll = state
        if action == "rethrow":
            return sets, rethrows - 1, 0
        return sets - 1, rethrows, sum(self._points(face) for face in map(int, roll))

    def outcomes(self, afterstate: tuple[int, int, int]) -> Iterator[Outcome]:
        sets, rethrows, points = afterstate
        if not sets:
            yield Outcome(1, None, points)
        else:
            for faces, weight in multisets(6, SETS[self.event][1]):
                yield Outcome(weight, (sets, rethrows, "".join(map(str, faces))), points)

    def _points(self, face: int) -> int:
        return -face if face == 6 and self.event != "110_metre_hurdles" else face
