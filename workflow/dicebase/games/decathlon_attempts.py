"""The long jump, discus and javelin of Knizia's Decathlon: three attempts, of which the best counts.

Throw all dice. After each throw freeze at least one more die, then rethrow the others or stop. In the discus only even
dice may be frozen, in the javelin only odd ones; when you stop, the frozen dice count their sum. If no die can be
frozen, the attempt is invalid and counts 0. The long jump begins with a run-up, in which the frozen dice must not sum
to more than 8, or the attempt is invalid. When you stop the run-up, jump: throw the frozen dice again, and freeze at
least one after each throw until all are frozen; they count their sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from dicebase.vocabulary import Board, Column, Dice, Objective, Outcome, Scale, multisets, parameter

READY, RUN_UP, JUMP, THROW = "ready", "run_up", "jump", "throw"
DICE = {"long_jump": 5, "discus": 5, "javelin": 6}
FACES = {"long_jump": "123456", "discus": "246", "javelin": "135"}
RUN_UP_MOST = 8
Position = tuple[int, int, str, int, str]


@dataclass(frozen=True)
class Rules(Board):
    """One athlete's event."""

    event: str = parameter(
        "discus",
        "the event",
        choices={
            "long_jump": "a run-up of five dice, and a jump with those frozen",
            "discus": "five dice, of which even ones may be frozen",
            "javelin": "six dice, of which odd ones may be frozen",
        },
    )
    attempts: int = parameter(3, "attempts, of which the best counts", low=1, high=3)

    title = "Decathlon: attempts"
    citation = "R. Knizia (2003), Decathlon, knizia.de: long jump, discus, javelin"
    objectives = {"points": Objective("expected points of the best attempt", "points")}
    columns = (
        Column("attempts_left", int, "attempts left, including the current one"),
        Column("best", int, "points of the best attempt before", "points"),
        Column("phase", str, "ready: before an attempt; run_up, jump or throw: during it"),
        Column("total", int, "sum of the dice frozen in this phase", "points"),
        Column("roll", str, "the dice just thrown, as sorted digits; none: not yet thrown"),
    )
    drawing = (Scale("total", "best"), Dice("roll"))

    def start(self) -> tuple[int, int]:
        return self.attempts, 0

    def actions(self, state: Position) -> list[str]:
        _, _, phase, total, roll = state
        if phase == READY:
            return ["throw"]
        found = []
        for kept in self._freezes(phase, total, roll):
            rest = len(roll) - len(kept)
            if rest:
                found.append(f"freeze {kept}, throw {rest}")
            if phase != JUMP or not rest:
                found.append(f"freeze {kept}, {'jump' if phase == RUN_UP else 'stop'}")
        return found

    def afterstate(self, state: Position, action: str) -> tuple:
        """Return (attempts left, best), followed during an attempt by (phase, frozen total, dice to throw)."""
        left, best, phase, total, roll = state
        first = RUN_UP if self.event == "long_jump" else THROW
        if phase == READY:
            return left, best, first, 0, DICE[self.event]
        points, kept, then = _frozen(action)
        if then == "stop":
            return left - 1, max(best, total + points)
        if then == "jump":
            return left, best, JUMP, 0, DICE[self.event] - len(roll) + kept
        return left, best, phase, total + points, len(roll) - kept

    def outcomes(self, afterstate: tuple) -> Iterator[Outcome]:
        left, best, *thrown = afterstate
        if not thrown:
            yield self._next_attempt(1, left, best)
            return
        phase, total, dice = thrown
        invalid = 0
        for roll, weight in _throws(dice):
            if self._freezes(phase, total, roll):
                yield Outcome(weight, (left, best, phase, total, roll))
            else:
                invalid += weight
        if invalid:
            yield self._next_attempt(invalid, left - 1, best)

    def _next_attempt(self, weight: int, left: int, best: int) -> Outcome:
        return Outcome(weight, (left, best, READY, 0, "none")) if left else Outcome(weight, None, best)

    def _freezes(self, phase: str, total: int, roll: str) -> list[str]:
        """The dice that may be frozen. Run-ups above the limit are left out, because they would only count 0."""
        most = RUN_UP_MOST - total if phase == RUN_UP else 6 * len(roll)
        return _kept(roll, FACES[self.event], most)

    def picture(self, state: Position) -> str:
        return " ".join(f"[{face}]" for face in state[-1]) if state[-1].isdigit() else ""

    def why_missing(self, state: Position) -> str:
        _, _, phase, total, roll = state
        if roll.isdigit() and phase in (RUN_UP, JUMP, THROW) and not self._freezes(phase, total, roll):
            return "no die may be frozen: the attempt is invalid"
        return super().why_missing(state)


@cache
def _throws(dice: int) -> list[tuple[str, int]]:
    return [("".join(map(str, faces)), weight) for faces, weight in multisets(6, dice)]


@cache
def _frozen(action: str) -> tuple[int, int, str]:
    """Return (sum of the dice that an action freezes, their number, the next step)."""
    kept, then = action.removeprefix("freeze ").split(", ")
    return sum(map(int, kept)), len(kept), then


@cache
def _kept(roll: str, among: str, most: int) -> list[str]:
    """The ways to take one or more dice with faces in `among` and a sum up to `most`; many and high dice first."""
    faces = sorted({*roll} & {*among})
    counts = product(*(range(roll.count(face) + 1) for face in faces))
    found = ["".join(face * n for face, n in zip(faces, many, strict=True)) for many in counts]
    return sorted((k for k in found if k and sum(map(int, k)) <= most), key=lambda k: (-len(k), -int(k)))
