"""The vocabulary: what a game is (Game), what a turn is (Turn), and what parameters are.

Every game here is a finite zero-sum stochastic game with integer-weighted chance (Shapley 1953). A Markov decision
process, an optimal-stopping problem and a game by turns only restrict who controls a state.

    state --action--> afterstate --the dice fall, weight w--> state, or the end, with a reward

The value of a state is the expected sum of rewards to MAX under best play by both sides. Where players take turns in
positions that look alike, states are seen by the mover, who is MAX: Outcome.sign says where the other one moves on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from dicebase.listing import Decisions, State


class Controller(Enum):
    """Who chooses in a state."""

    MAX = "max"
    MIN = "min"
    BOTH = "both"  # at once, neither seeing the other's choice


class Outcome(NamedTuple):
    """One way the dice can fall."""

    weight: int  # probability times the sum of the weights of the afterstate
    state: State | None  # None: play is over
    reward: int | Fraction = 0  # paid to MAX on the way
    sign: int = 1  # -1: the players change roles, and what the next state is worth counts against MAX


class Game(Decisions, ABC):
    """Rules and an objective: everything a solver, a certifier or a simulation may know of a game."""

    checked_by = "decisions"

    @abstractmethod
    def start(self) -> Hashable:
        """The afterstate play begins in: what is on the table before anything is decided."""

    def starts(self) -> Iterable[Hashable]:
        """The afterstates from which the table's states are those that play can reach; `start` is one of them."""
        return (self.start(),)

    def listed(self, state: State) -> bool:
        """Whether a state is a row of the table; others, decided in passing, follow from those that are."""
        return True

    @abstractmethod
    def layer(self, state: State) -> int:
        """Never decreases in play; where it cannot stay the same either, the layer has no cycle."""

    @abstractmethod
    def controller(self, state: State) -> Controller:
        """Who moves."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The legal actions, never empty; of equally good ones a policy takes the first."""

    def replies(self, state: State) -> Sequence[str]:
        """The legal actions of MIN where both choose at once."""
        return ()

    @abstractmethod
    def afterstate(self, state: State, action: str | tuple[str, str]) -> Hashable:
        """What lies on the table when the action is done and the dice have not fallen; where both choose at once
        `action` is (MAX's, MIN's)."""

    @abstractmethod
    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        """How the dice can fall; the weights are positive integers."""


# --- a turn: the inside of most dice games -----------------------------------------------------------------------


class Rulebook(ABC):
    """What the rules of every game say of themselves."""

    title: ClassVar[str]
    citation: ClassVar[str]
    # Of a match format's parameters, where the game is known by another value.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})


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


class Turn(Rulebook):
    """The rules of one turn: roll, use the roll, go on or stop.

    A mode says what is in the hand: how many dice to roll, or which throw was chosen. The first roll is compulsory.
    `rolls` may depend on the turn total only through `total % period`.
    """

    stop: ClassVar[str]  # the word for banking: hold, stop, bank
    total: ClassVar[str] = "turn_total"  # the name of the turn total's column
    # Whether the player chooses which dice of a roll to keep; a mode is then the number of dice in the hand.
    # Otherwise a roll has one option at the most.
    keeps: ClassVar[bool] = False
    modes: tuple[int, ...] = (0,)  # the first one starts a turn
    period: int = 1

    @abstractmethod
    def rolls(self, total: int, mode: int) -> Iterable[Roll]:
        """Every way the dice of `mode` can fall at this turn total."""

    def why_missing(self, total: int, dice: str | None = None) -> str:
        """Why nobody decides anything at this turn total (and with this roll, where rolls are seen)."""
        return "no play leads there"


class RepeatedTurn(Turn):
    """A turn that is played again and again, what is banked adding up; rolls do not depend on the turn total."""


class Throw(Rulebook):
    """The rules of a turn of one decision: choose a throw, and what falls is banked."""

    choices: tuple[int, ...]  # how many dice one may throw
    wipes: bool = False  # whether a throw of nothing loses the points banked before as well

    @abstractmethod
    def gains(self, choice: int) -> dict[int, int]:
        """{points gained: weight} of a throw, in rising order; 0 is a throw of nothing, which may happen and must
        not be certain."""


# --- a scorecard: games that are no turn in a match ---------------------------------------------------------------


class Scorecard(Rulebook):
    """One roll at a time is put into a free slot, until all slots are filled; the slots' scores add up."""

    slots: int

    @property
    @abstractmethod
    def weights(self) -> dict[int, int]:
        """{roll: weight}, in rising order of rolls; the weights are positive integers."""

    @abstractmethod
    def gain(self, slot: int, roll: int) -> int:
        """What a slot, 1 to `slots`, scores for a roll."""


class MultiplierScorecard(Scorecard):
    """A scorecard whose slots multiply: slot i scores factors[i - 1] times the roll; the factors never fall."""

    factors: tuple[int, ...]
    multiplies: bool = True  # False where slots score in another way after all: such a card has no factors

    def gain(self, slot: int, roll: int) -> int:
        return self.factors[slot - 1] * roll


# --- parameters --------------------------------------------------------------------------------------------------


class Named(str):
    """A name that the configuration defines, such as a scoring table; it carries its definition along."""

    definition: Any

    def __new__(cls, name: str, definition: Any = None) -> Named:
        self = super().__new__(cls, name)
        self.definition = definition
        return self

    def __eq__(self, other: object) -> bool:
        # Two tables of one name are not the same rules, and what is cached for one must not serve the other.
        same = not isinstance(other, Named) or self.definition == other.definition
        return same and str.__eq__(self, other)

    __hash__ = str.__hash__


@dataclass(frozen=True)
class Parameter:
    """What a variant may choose, and within which limits."""

    name: str
    kind: type
    default: Any
    description: str
    low: int | None = None
    high: int | None = None
    choices: tuple = ()
    defined: bool = False  # the value is a name under `definitions` in the configuration
    text: str = ""  # what else a defined parameter may be, in words; the rules read it
    only: tuple[str, ...] = ()  # the match formats it is a parameter of; empty: all

    @property
    def allowed(self) -> str:
        """The limits in words, for an error message."""
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        if self.defined:
            return "a name under 'definitions' in the configuration" + (f", or {self.text}" if self.text else "")
        return f"a whole number from {self.low} to {self.high}"


def parameter(default: Any, description: str, **limits: Any) -> Any:
    """A dataclass field that is a parameter; `limits` are low, high, choices, defined, text, only (see Parameter)."""
    default = Named(default) if limits.get("defined") else default
    return field(default=default, metadata={"description": description, **limits})


def parameters_of(cls: type) -> list[Parameter]:
    """The parameters a rules file or a match declares, in the order it declares them."""
    found = []
    for f in fields(cls) if hasattr(cls, "__dataclass_fields__") else ():
        if "description" in f.metadata:
            default = None if f.default is MISSING else f.default
            found.append(Parameter(f.name, int if isinstance(default, int) else str, default, **f.metadata))
    return found
