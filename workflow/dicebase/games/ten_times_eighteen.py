"""Ten Times Eighteen: in each round roll three dice and put their sum into one of the free slots.

A slot scores its multiplier times the sum.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import comb

from dicebase.vocabulary import Definition, MultiplierScorecard, check_whole, convolve, formula, need, parameter, sums

MOST_BY_FORMULA = 20
MOST_SUMS = 10_000


@dataclass(frozen=True)
class Rules(MultiplierScorecard):
    """The game of S. Böcker, Ten Times Eighteen (2015), with any dice, slots and multipliers."""

    distribution: Definition = parameter(
        "3d6", "distribution of a roll", defined=True, text="dice such as '3d6', at most 20 dice of at most 100 sides"
    )
    slots: int = parameter(10, "number of slots, and of rounds", low=1, high=1000)
    multipliers: Definition = parameter(
        "1..n",
        "multiplier of each slot, never falling; or a formula for the score of slot and roll",
        defined=True,
        text="'1..n', or one whole number per slot such as '1,2,2,5'",
        only=("score", "exceed", "distribution", "versus", "versus_matchups"),
    )

    title = "Ten Times Eighteen"
    citation = "S. Böcker (2015), Ten Times Eighteen, Journal of Information Processing"

    def __post_init__(self) -> None:
        # Refuse unreadable definitions here rather than in the middle of a solve.
        few = not self._points or self.slots <= MOST_BY_FORMULA
        need(few, f"slots: {self.slots} slots; a formula scores at most {MOST_BY_FORMULA}")
        small = sum(self.weights.values()) <= 10**300
        need(small, f"distribution: the weights of '{self.distribution}' sum to more than 1e300")
        rolls = self.weights if self._points else (min(self.weights), max(self.weights))
        most = sum(max(abs(self.gain(slot, roll)) for roll in rolls) for slot in range(1, self.slots + 1))
        small = max(most, *map(abs, rolls)) < 2**31
        need(small, f"distribution: scores reach {most}; at most {2**31 - 1} can be stored")

    @cached_property
    def weights(self) -> dict[int, int]:
        """The weight of each sum rolled; raises ConfigurationError for a malformed distribution."""
        if self.distribution.content is not None:
            return _loaded(self.distribution)
        dice = re.fullmatch(r"([1-9]\d?)d([1-9]\d{0,2})", self.distribution.name)
        what = "is not defined, nor dice such as '3d6' (at most 20d100)"
        fits = dice and int(dice[1]) <= 20 and int(dice[2]) <= 100
        need(fits, f"distribution: '{self.distribution}' {what}")
        return sums(int(dice[2]), int(dice[1]))

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """The multiplier of each slot; raises ConfigurationError if their number is wrong or they decrease."""
        defined = self.multipliers.content
        what = "is a formula; only the table ten_times_eighteen_score takes one"
        need(not self._points, f"multipliers: '{self.multipliers}' {what}")
        if defined is None:
            if self.multipliers.name == "1..n":
                return tuple(range(1, self.slots + 1))
            defined = self.multipliers.name.split(",")
        try:
            factors = tuple(int(str(f)) for f in defined) if isinstance(defined, list | tuple) else ()
        except (TypeError, ValueError):
            factors = ()
        what = f"is not {self.slots} whole numbers that never fall, nor '1..n'"
        fits = len(factors) == self.slots and list(factors) == sorted(factors)
        need(fits, f"multipliers: '{self.multipliers}' {what}")
        return factors

    @cached_property
    def _points(self) -> Callable[[int, int], int] | None:
        """The score as a function of (slot, roll), for a definition {points: formula}; otherwise None."""
        defined = self.multipliers.content
        if not isinstance(defined, dict):
            return None
        place = f"definitions.ten_times_eighteen.multipliers.{self.multipliers}"
        need(set(defined) == {"points"}, f"{place}: needs exactly 'points', a formula of slot and roll")
        return formula(defined["points"], ("slot", "roll"), f"{place}.points")

    @property
    def multiplies(self) -> bool:
        return self._points is None

    def gain(self, slot: int, roll: int) -> int:
        return self._points(slot, roll) if self._points else super().gain(slot, roll)


def _loaded(distribution: Definition) -> dict[int, int]:
    """Return {sum: weight} for loaded dice, defined by {dice: number, faces: {face: weight}}."""
    place, given = f"definitions.ten_times_eighteen.distribution.{distribution}", distribution.content
    made = isinstance(given, dict) and set(given) == {"dice", "faces"}
    need(made, f"{place}: needs exactly 'dice' and 'faces'")
    dice, faces = given["dice"], given["faces"]
    check_whole(f"{place}.dice", dice, 1, 20)
    made = isinstance(faces, dict) and faces
    need(made, f"{place}.faces: is empty; give at least one face with its weight")
    for face, weight in faces.items():
        whole = re.fullmatch("-?[0-9]{1,10}", str(face))
        need(whole, f"{place}.faces: {face!r} is not a whole number of at most 10 digits")
        whole = type(weight) is int and 1 <= weight < 10**300
        need(whole, f"{place}.faces.{face}: weight {weight!r} is not a whole number above 0")
    if (many := comb(len(faces) + dice - 1, dice)) > MOST_SUMS:
        many = min(many, dice * (max(map(int, faces)) - min(map(int, faces))) + 1)
    need(many <= MOST_SUMS, f"{place}: {dice} dice with these faces can have {many} sums; at most {MOST_SUMS}")
    different = len({*map(int, faces)}) == len(faces)
    need(different, f"{place}.faces: a face occurs twice among {', '.join(map(repr, faces))}")
    return convolve({int(face): weight for face, weight in faces.items()}, dice)
