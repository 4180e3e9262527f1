"""The rules of a turn, the core of most dice games: roll, use the roll, continue or stop."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import ClassVar, NamedTuple

from dicebase.vocabulary.arithmetic.rationals import rational_text, read_rational
from dicebase.vocabulary.errors import NO_PLAY, ConfigurationError
from dicebase.vocabulary.rules.rulebook import Rulebook
from dicebase.vocabulary.rules.turn_total import TurnTotal, known

MOST_ROLLS = 100_000
"""The most outcomes of a throw."""


class Loss(Enum):
    """The cost of a roll without options."""

    BUST = "bust"  # the points of this turn
    WIPE = "wipe"  # the points banked in earlier turns as well
    OUT = "out"  # the match; in a table without a match, the points of this turn


class Option(NamedTuple):
    """One way to use a roll."""

    gain: int  # points added to the turn total, positive
    mode: int | None  # of the next roll; None: the turn ends and its points are banked
    keep: str = ""  # the kept dice as sorted digits, if the player chooses them


class Roll(NamedTuple):
    """One outcome of a throw: options to choose from, or a loss."""

    weight: int
    dice: str  # as sorted digits; empty if no table shows them
    options: tuple[Option, ...] = ()
    loss: Loss | None = None

    @property
    def written(self) -> str:
        """The dice; if they are not stated, the points gained or the kind of loss."""
        return self.dice or (self.loss.value if self.loss else str(self.options[0].gain))


Choice = Loss | frozenset[tuple[int, int | None]]
"""What a roll leads to: a loss, or the set of pairs (gain, next mode) to choose from."""


def merged(rolls: Iterable[Roll]) -> Counter[Choice]:
    """Return {choice: weight}, merging rolls that lead to the same choice."""
    found: Counter[Choice] = Counter()
    for roll in rolls:
        found[roll.loss or frozenset((o.gain, o.mode) for o in roll.options)] += roll.weight
    return found


class Turn(Rulebook):
    """The rules of one turn: roll, use the roll, go on or stop.

    A mode says what is rolled next: the number of dice, or the kind of throw. If dice are kept, the first mode may be
    0: a first roll of as many dice as in the second mode, under rules by which later rolls of all dice differ from it.
    The first roll is compulsory, and so is a roll if the turn total is below `least_stop` or the mode is in
    `must_roll`. `rolls` may depend on the turn total only through `total % period`, and is given a TurnTotal, which
    reveals no more.
    """

    family, dice_fall = "turns", "rolls"

    stop: ClassVar[str]  # the game's word for banking: hold, stop, bank
    total: ClassVar[str] = "turn_total"  # the name of the turn total's column
    repeats: ClassVar[bool] = False  # whether matches consist of such turns, see RepeatedTurn
    # Whether the player chooses dice to keep; then modes are numbers of dice. Otherwise a roll has at most one option.
    keeps: ClassVar[bool] = False
    modes: tuple[int, ...] = (0,)  # the first one starts a turn
    period: int = 1
    # A player may not stop below least_stop or in a mode of must_roll. If an option ends a turn, least_stop must be 0.
    least_stop: int = 0
    must_roll: tuple[int, ...] = ()

    @abstractmethod
    def rolls(self, total: int, mode: int) -> Iterable[Roll]:
        """All outcomes of the dice of `mode` at a turn total; callers get a tuple."""

    def called(self, option: Option) -> tuple[str, str]:
        """The names of two actions: keep these dice and stop, keep them and roll on."""
        return f"keep {option.keep}, {self.stop}", f"keep {option.keep}, roll {option.mode}"

    def dice_in(self, mode: int) -> int:
        """The number of dice rolled in a mode, if dice are kept."""
        return mode or self.modes[1]

    def mode_at(self, total: int, dice: int) -> int:
        """The mode in which `dice` dice are rolled at a turn total, if dice are kept."""
        return self.modes[0] if total == 0 and dice == self.dice_in(self.modes[0]) else dice

    def question(self, total: int | TurnTotal, mode: int) -> tuple[int, int]:
        return (known(total)[0] if type(total) is TurnTotal else total) % self.period, mode

    def answer(self, rule: Callable, phase: int, mode: int) -> tuple[Roll, ...]:
        refused: list[str] = []
        rolls = tuple(islice(rule(self, TurnTotal(phase, self.period, refused), mode), MOST_ROLLS + 1))
        if refused:  # the author's code caught the error
            raise ConfigurationError(refused[0])
        return rolls

    def may_stop(self, total: int, mode: int | None, banked: int = 1) -> bool:
        """Whether a player may stop at a turn total; `mode` is what would be rolled next, None if the turn is over."""
        return total >= self.least_bank(banked) and mode not in self.must_roll

    def least_bank(self, banked: int) -> int:
        """The least turn total with which a player who has banked `banked` points may stop."""
        return max(1, self.least_stop)

    def why_missing(self, total: int, dice: str | None = None) -> str:
        """The reason why there is no decision at this turn total, or with this roll."""
        return NO_PLAY


WINS, BUST, BOUNCE = "wins", "bust", "bounce"


class RepeatedTurn(Turn):
    """A turn that is played repeatedly, with banked points adding up; rolls do not depend on the turn total."""

    repeats: ClassVar[bool] = True
    # What happens if a turn passes the target of a match: it wins as well (WINS), it is lost (BUST), or the excess is
    # subtracted from the target, but not below 0 (BOUNCE).
    beyond: str = WINS
    # Whether the opponent has one more turn after a player reaches the target, and wins if it ends with more points.
    last_turn: bool = False

    opening: int = 0  # the fewest points with which a player who has banked nothing may stop
    # The penalties of the first, second, ... lost turn in a row, never decreasing; after the last the count restarts.
    lost_in_row: tuple[int, ...] = ()

    def least_bank(self, banked: int) -> int:
        return max(super().least_bank(banked), 0 if banked else self.opening)


Class = tuple[int, int]
"""(turn total modulo the period, mode)."""


@dataclass(frozen=True)
class Continuation:
    """The value of a turn beyond its last total: from `cutoff` on, slope * total + worth, for each class.

    A class without an entry in `slopes` has slope 1. A smaller slope is the probability that a turn that may not stop
    here is banked. The claim covers the classes that a turn can reach; solvers/turns/continuation.py derives it.
    """

    cutoff: int
    worth: Mapping[Class, Fraction]
    slopes: Mapping[Class, Fraction] = field(default_factory=dict)

    @property
    def safe(self) -> set[Class]:
        """The classes in which rolling on forever is optimal: no roll loses, so `worth` is positive."""
        return {c for c, worth in self.worth.items() if worth and c not in self.slopes}

    def line(self, c: Class) -> tuple[Fraction, Fraction]:
        """Return (slope, value at total 0) of a class."""
        return self.slopes.get(c, Fraction(1)), self.worth[c]

    @property
    def text(self) -> str:
        """The claim as files store it."""
        slopes = {c: [rational_text(slope)] for c, slope in self.slopes.items()}
        worth = [[*c, rational_text(worth), *slopes.get(c, [])] for c, worth in sorted(self.worth.items())]
        return json.dumps({"cutoff": self.cutoff, "worth": worth})

    @classmethod
    def read(cls, text: str) -> Continuation:
        """Read a claim that `text` wrote; raises ValueError if it is malformed."""
        try:
            found = json.loads(text)
            said = {(int(phase), int(mode)): [*map(read_rational, line)] for phase, mode, *line in found["worth"]}
            slopes = {c: line[1] for c, line in said.items() if len(line) > 1}
            return cls(int(found["cutoff"]), {c: line[0] for c, line in said.items()}, slopes)
        except (TypeError, KeyError, IndexError, AttributeError) as error:
            raise ValueError(f"'{text:.40}' is not a claim about values beyond the last total") from error
