"""The rules of a turn: the inside of most dice games."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import ClassVar, NamedTuple

from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.rationals import rational_text, read_rational
from dicebase.vocabulary.rulebook import Rulebook
from dicebase.vocabulary.turn_total import TurnTotal, known

MOST_ROLLS = 100_000
"""The most ways that a throw can fall."""


class Loss(Enum):
    """What a roll that cannot be used takes away."""

    BUST = "bust"  # the turn's points
    WIPE = "wipe"  # the points banked in earlier turns as well


class Option(NamedTuple):
    """One way to use a roll."""

    gain: int  # points added to the turn total, positive
    mode: int | None  # what can be rolled next; None: the turn ends here and banks by force
    keep: str = ""  # the dice kept, as sorted digits, where the player chooses


class Roll(NamedTuple):
    """What falls with one throw: options to choose from, or a loss."""

    weight: int
    dice: str  # as a player reads it, sorted digits; empty where nobody needs it
    options: tuple[Option, ...] = ()
    loss: Loss | None = None

    @property
    def written(self) -> str:
        """The dice, or, where nobody sees them, the points that they add, or what they take away."""
        return self.dice or (self.loss.value if self.loss else str(self.options[0].gain))


Choice = Loss | frozenset[tuple[int, int | None]]
"""What a roll leaves: a loss, or pairs (gain, next mode) to choose from."""


def merged(rolls: Iterable[Roll]) -> Counter[Choice]:
    """The weight of everything that rolls leave: those that leave the same choice are one."""
    found: Counter[Choice] = Counter()
    for roll in rolls:
        found[roll.loss or frozenset((o.gain, o.mode) for o in roll.options)] += roll.weight
    return found


class Turn(Rulebook):
    """The rules of one turn: roll, use the roll, go on or stop.

    A mode says what is in the hand: how many dice to roll, or which throw was chosen. The first roll is compulsory.
    `rolls` may depend on the turn total only through `total % period`, and is given one that knows no more.
    """

    family, dice_fall = "turns", "rolls"

    stop: ClassVar[str]  # the word for banking: hold, stop, bank
    total: ClassVar[str] = "turn_total"  # the name of the turn total's column
    # Whether the player chooses which dice of a roll to keep; a mode is then the number of dice in the hand.
    # Otherwise a roll has one option at the most.
    keeps: ClassVar[bool] = False
    modes: tuple[int, ...] = (0,)  # the first one starts a turn
    period: int = 1

    @abstractmethod
    def rolls(self, total: int, mode: int) -> Iterable[Roll]:
        """Every way the dice of `mode` can fall at this turn total; asked by others it answers with a tuple."""

    def called(self, option: Option) -> tuple[str, str]:
        """What people call it to keep these dice and stop, and to keep them and roll on."""
        return f"keep {option.keep}, {self.stop}", f"keep {option.keep}, roll {option.mode}"

    def question(self, total: int | TurnTotal, mode: int) -> tuple[int, int]:
        return (known(total)[0] if type(total) is TurnTotal else total) % self.period, mode

    def answer(self, rule: Callable, phase: int, mode: int) -> tuple[Roll, ...]:
        refused: list[str] = []
        rolls = tuple(islice(rule(self, TurnTotal(phase, self.period, refused), mode), MOST_ROLLS + 1))
        if refused:  # and somebody has caught it
            raise ConfigurationError(refused[0])
        return rolls

    def why_missing(self, total: int, dice: str | None = None) -> str:
        """Why nobody decides anything at this turn total (and with this roll, where rolls are seen)."""
        return "no play leads there"


class RepeatedTurn(Turn):
    """A turn that is played again and again, what is banked adding up; rolls do not depend on the turn total."""


Class = tuple[int, int]
"""(turn total mod period, mode)."""


@dataclass(frozen=True)
class Continuation:
    """What a turn is worth beyond its last total: from `cutoff` on, total + worth[total mod period, mode].

    A claim in numbers, for the classes that a turn can reach; where it comes from: solve/turns/continuation.py.
    """

    cutoff: int
    worth: Mapping[Class, Fraction]

    @property
    def safe(self) -> set[Class]:
        """The classes in which one rolls on for ever: their rolls cannot be lost, so they are worth something."""
        return {c for c, worth in self.worth.items() if worth}

    @property
    def text(self) -> str:
        """The claim as files have it."""
        worth = [[*c, rational_text(worth)] for c, worth in sorted(self.worth.items())]
        return json.dumps({"cutoff": self.cutoff, "worth": worth})

    @classmethod
    def read(cls, text: str) -> Continuation:
        """The claim of such a text; raises ValueError where it is none."""
        try:
            found = json.loads(text)
            worth = {(int(phase), int(mode)): read_rational(number) for phase, mode, number in found["worth"]}
            return cls(int(found["cutoff"]), worth)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"'{text:.40}' is no claim of what holds beyond the last total") from error
