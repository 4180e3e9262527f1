"""The rules of a turn: the inside of most dice games."""

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
    OUT = "out"  # the match, where there is one, and else the turn's points


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

    A mode says what is in the hand: how many dice to roll, or which throw was chosen. Where dice are kept, a mode 0 may
    stand before the others: the first roll, of as many dice as the next mode says, where later ones differ from it. The
    first roll is compulsory, and so is a roll with a turn total below `least_stop`, or in one of the modes
    `must_roll`.
    `rolls` may depend on the turn total only through `total % period`, and is given one that knows no more.
    """

    family, dice_fall = "turns", "rolls"

    stop: ClassVar[str]  # the word for banking: hold, stop, bank
    total: ClassVar[str] = "turn_total"  # the name of the turn total's column
    repeats: ClassVar[bool] = False  # whether matches are made of such turns; a RepeatedTurn
    # Whether the player chooses which dice of a roll to keep; a mode is then the number of dice in the hand.
    # Otherwise a roll has one option at the most.
    keeps: ClassVar[bool] = False
    modes: tuple[int, ...] = (0,)  # the first one starts a turn
    period: int = 1
    # Where one may not stop. An option that ends the turn by force banks, and goes with no least total.
    least_stop: int = 0
    must_roll: tuple[int, ...] = ()

    @abstractmethod
    def rolls(self, total: int, mode: int) -> Iterable[Roll]:
        """Every way the dice of `mode` can fall at this turn total; asked by others it answers with a tuple."""

    def called(self, option: Option) -> tuple[str, str]:
        """What people call it to keep these dice and stop, and to keep them and roll on."""
        return f"keep {option.keep}, {self.stop}", f"keep {option.keep}, roll {option.mode}"

    def dice_in(self, mode: int) -> int:
        """How many dice a mode rolls, where dice are kept."""
        return mode or self.modes[1]

    def mode_at(self, total: int, dice: int) -> int:
        """The mode in which so many dice are rolled at a turn total, where dice are kept."""
        return self.modes[0] if total == 0 and dice == self.dice_in(self.modes[0]) else dice

    def question(self, total: int | TurnTotal, mode: int) -> tuple[int, int]:
        return (known(total)[0] if type(total) is TurnTotal else total) % self.period, mode

    def answer(self, rule: Callable, phase: int, mode: int) -> tuple[Roll, ...]:
        refused: list[str] = []
        rolls = tuple(islice(rule(self, TurnTotal(phase, self.period, refused), mode), MOST_ROLLS + 1))
        if refused:  # and somebody has caught it
            raise ConfigurationError(refused[0])
        return rolls

    def may_stop(self, total: int, mode: int | None, banked: int = 1) -> bool:
        """Whether one may stop with so many points, the mode being what could be rolled; None: the turn is over."""
        return total >= self.least_bank(banked) and mode not in self.must_roll

    def least_bank(self, banked: int) -> int:
        """The least turn total with which one may stop who has banked so many points."""
        return max(1, self.least_stop)

    def why_missing(self, total: int, dice: str | None = None) -> str:
        """Why nobody decides anything at this turn total (and with this roll, where rolls are seen)."""
        return "no play leads there"


WINS, BUST, BOUNCE = "wins", "bust", "bounce"


class RepeatedTurn(Turn):
    """A turn that is played again and again, what is banked adding up; rolls do not depend on the turn total."""

    repeats: ClassVar[bool] = True
    # What a turn that passes the target of a match does: it WINS as well, is lost (BUST), or the points beyond are
    # counted back from the target, to nothing at the least (BOUNCE).
    beyond: str = WINS
    # Whether the target ends the turn alone: the other one has one more, and wins with more points.
    last_turn: bool = False

    opening: int = 0  # with fewer points one may not stop while nothing is banked
    # What the first, the second ... lost turn in a row costs, never falling; after the last the row begins anew.
    lost_in_row: tuple[int, ...] = ()

    def least_bank(self, banked: int) -> int:
        return max(super().least_bank(banked), 0 if banked else self.opening)


Class = tuple[int, int]
"""(turn total mod period, mode)."""


@dataclass(frozen=True)
class Continuation:
    """What a turn is worth beyond its last total: from `cutoff` on, slope * total + worth, by (total mod period, mode).

    The slope is 1 where `slopes` has none: below 1 it is how likely a turn is banked that may not be stopped here.
    A claim in numbers, for the classes that a turn can reach; where it comes from: solvers/turns/continuation.py.
    """

    cutoff: int
    worth: Mapping[Class, Fraction]
    slopes: Mapping[Class, Fraction] = field(default_factory=dict)

    @property
    def safe(self) -> set[Class]:
        """The classes in which one rolls on for ever: their rolls cannot be lost, so they are worth something."""
        return {c for c, worth in self.worth.items() if worth and c not in self.slopes}

    def line(self, c: Class) -> tuple[Fraction, Fraction]:
        """(slope, worth at a total of 0) of a class."""
        return self.slopes.get(c, Fraction(1)), self.worth[c]

    @property
    def text(self) -> str:
        """The claim as files have it."""
        slopes = {c: [rational_text(slope)] for c, slope in self.slopes.items()}
        worth = [[*c, rational_text(worth), *slopes.get(c, [])] for c, worth in sorted(self.worth.items())]
        return json.dumps({"cutoff": self.cutoff, "worth": worth})

    @classmethod
    def read(cls, text: str) -> Continuation:
        """The claim of such a text; raises ValueError where it is none."""
        try:
            found = json.loads(text)
            said = {(int(phase), int(mode)): [*map(read_rational, line)] for phase, mode, *line in found["worth"]}
            slopes = {c: line[1] for c, line in said.items() if len(line) > 1}
            return cls(int(found["cutoff"]), {c: line[0] for c, line in said.items()}, slopes)
        except (TypeError, KeyError, IndexError, AttributeError) as error:
            raise ValueError(f"'{text:.40}' is no claim of what holds beyond the last total") from error
