"""Ten Thousand, also known as Zilch or Farkle: roll, keep scoring dice, roll the rest or bank.

Every roll must score, or the turn is lost. At least one scoring combination is kept; what is kept adds its points to
the turn total and leaves the hand. Other dice that score may be rolled again with the rest; but when all the dice of a
roll score all must be kept, and who rolls on rolls all dice anew.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from dicebase.vocabulary import (
    ConfigurationError,
    Definition,
    Loss,
    Option,
    RepeatedTurn,
    Roll,
    multisets,
    parameter,
    shown,
)

# The restricted games of Table 4: which scoring dice a player may resign in one decision. Resignations do not
# compose: where only single dice may be resigned, two of them may not.
RESIGNED: dict[str, tuple[str, ...] | None] = {
    "stop_roll": (),
    "m5": ("5",),
    "m5_m1": ("5", "1"),
    "m5_m1_m55": ("5", "1", "55"),
    "m5_m1_m55_m51": ("5", "1", "55", "15"),
    "all": None,
}

MOST_POINTS = 100_000
_WORDS = {moves: "any" if dice is None else " or ".join(dice) or "none" for moves, dice in RESIGNED.items()}


@dataclass(frozen=True)
class Rules(RepeatedTurn):
    """One turn of Ten Thousand with five dice (sections 2 and 5.1 of Crocce & Mordecki 2014), in points."""

    rules: Definition = parameter("crocce_mordecki", "scoring table: the points of each combination", defined=True)
    moves: str = parameter("all", "which scoring dice may be resigned, not kept", choices=_WORDS, only=("turn",))

    title = "Ten Thousand"
    citation = "F. Crocce and E. Mordecki (2014), A finite exact algorithm to solve a dice game"
    stop = "bank"
    keeps = True
    defaults = MappingProxyType({"target": 10_000})

    def __post_init__(self) -> None:
        check_scoring_table(self.rules)

    @property
    def modes(self) -> tuple[int, ...]:
        """The number of dice to roll; a turn starts with all of them."""
        return tuple(range(self.rules.content["dice"], 0, -1))

    def rolls(self, total: int, mode: int) -> Iterator[Roll]:
        points = tuple(self.rules.content["combinations"].items())
        return iter(_rolls(points, self.modes[0], RESIGNED[self.moves], mode))

    def why_missing(self, total: int, dice: str | None = None) -> str:
        if dice is not None:
            if not 1 <= len(dice) <= self.modes[0] or set(dice) - set("123456"):
                return f"a roll is 1 to {self.modes[0]} digits from 1 to 6"
            roll = next(r for r in self.rolls(total, len(dice)) if r.dice == dice)
            if roll.loss:
                return f"a roll of {dice} scores nothing: the turn is lost, there is nothing to decide"
        return super().why_missing(total, dice)


@cache
def _rolls(
    points: tuple[tuple[str, int], ...], all_dice: int, resigned: tuple[str, ...] | None, dice: int
) -> list[Roll]:
    found = []
    for faces, weight in multisets(6, dice):
        rolled = "".join(map(str, faces))
        keeps = {kept: score(points, kept) for kept in _parts(rolled)}
        keeps = {kept: gain for kept, gain in keeps.items() if gain}
        if not keeps:
            found.append(Roll(weight, rolled, loss=Loss.BUST))
            continue
        options = [
            Option(gain, all_dice if kept == rolled else dice - len(kept), kept)
            for kept, gain in keeps.items()
            if _may_keep(kept, keeps, rolled, resigned)
        ]
        # Everything first: a tie goes to the player who resigns nothing.
        options.sort(key=lambda option: (-len(option.keep), -option.gain, option.keep))
        found.append(Roll(weight, rolled, tuple(options)))
    return found


@cache
def score(points: tuple[tuple[str, int], ...], kept: str) -> int:
    """The most points of the kept dice, split into combinations that use every one of them; 0 where none does."""
    best = 0
    for combination, gain in points:
        # The lowest die has to be part of some combination: begin with that one.
        if kept[0] in combination and not Counter(combination) - Counter(kept):
            rest = _minus(kept, combination)
            rest_gain = score(points, rest) if rest else 0
            if not rest or rest_gain:
                best = max(best, gain + rest_gain)
    return best


def _may_keep(kept: str, keeps: dict[str, int], rolled: str, resigned: tuple[str, ...] | None) -> bool:
    """Rules (ii) to (iv) of section 2.2: all dice that score, or all but those one may resign."""
    if rolled in keeps:
        return kept == rolled
    if resigned is None:
        return True
    largest = [k for k in keeps if not any(k != other and not Counter(k) - Counter(other) for other in keeps)]
    return any(not Counter(kept) - Counter(k) and _minus(k, kept) in ("", *resigned) for k in largest)


def _parts(rolled: str) -> set[str]:
    """The non-empty parts of a roll, each as sorted digits."""
    parts = {""}
    for die in rolled:
        parts |= {part + die for part in parts}
    return parts - {""}


def _minus(dice: str, fewer: str) -> str:
    return "".join(sorted((Counter(dice) - Counter(fewer)).elements()))


def check_scoring_table(rules: Definition) -> None:
    """Raise ConfigurationError, naming the entry, unless it is {dice: 1 to 6, combinations: {text: points}}."""
    place = f"definitions.ten_thousand.rules.{rules}"
    table = rules.content
    if not isinstance(table, dict) or set(table) != {"dice", "combinations"}:
        raise ConfigurationError(f"{place}: needs exactly 'dice' and 'combinations'")
    dice, combinations = table["dice"], table["combinations"]
    if not isinstance(dice, int) or isinstance(dice, bool) or not 1 <= dice <= 6:
        raise ConfigurationError(f"{place}.dice: {dice!r} is not a whole number from 1 to 6")
    if not isinstance(combinations, dict) or not combinations:
        raise ConfigurationError(f"{place}.combinations: the table scores nothing; give at least one combination")
    for text, points in combinations.items():
        if not isinstance(text, str) or not text or set(text) - set("123456") or list(text) != sorted(text):
            raise ConfigurationError(
                f"{place}.combinations: {text!r} is not a combination: quoted, sorted digits from 1 to 6 such as '222'"
            )
        if len(text) > dice:
            raise ConfigurationError(f"{place}.combinations: '{text}' needs more than the {dice} dice of this table")
        if not isinstance(points, int) or isinstance(points, bool) or not 1 <= points <= MOST_POINTS:
            allowed = f"a whole number of points from 1 to {MOST_POINTS}"
            raise ConfigurationError(f"{place}.combinations.{text}: {shown(points)} is not {allowed}")
