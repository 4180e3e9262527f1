"""The rules of a board: any finite game of perfect information, for one player or for two who move in turn, that states
its own positions. Nothing else is needed of it: the order in which positions are solved is found.

A drawing is data, which the command line and the explorer both draw: a column of the position as dice, tiles or a board
of squares.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.game import Outcome
from dicebase.vocabulary.listing import Column, State
from dicebase.vocabulary.rulebook import Rulebook


class Objective(NamedTuple):
    """What play is for; it gives a table of its own."""

    words: str  # what a value is, such as `chance to shut the box`; it follows `the best`, or `the least`
    unit: str  # points, turns or probability, of the value and of rewards
    sense: int = 1  # 1 where more is better for the mover, -1 where less is
    players: int = 1  # 2 where they take turns for a probability: then policies are played against one another


class Dice(NamedTuple):
    """A column of digits as the faces of dice, or a number as one die."""

    column: str


class Tiles(NamedTuple):
    """A column of text as tiles: those whose label is in it are up."""

    column: str
    labels: str  # one character a tile


class Squares(NamedTuple):
    """A column of text as a board: character i is what lies on the square at places[i]."""

    column: str
    places: tuple[tuple[int, int], ...]  # (column, row), from the upper left corner
    pieces: Mapping[str, str]  # what a character is, in words; any other one is an empty square
    marked: tuple[int, ...] = ()  # squares that are special, by number
    marked_words: str = "special"  # what they are


class Piles(NamedTuple):
    """A column of text as piles of pieces: character i, a digit or A for 10, is how many are at labels[i]."""

    column: str
    labels: tuple[str, ...]


Drawing = Dice | Tiles | Squares | Piles


def afterstate_by_action(pairs: Iterable[tuple[str, Hashable]]) -> dict[str, Hashable]:
    """Return {action: afterstate} in the order of the pairs; raise ConfigurationError if two pairs have the same action
    and different afterstates, where a dict would keep the last one without a word."""
    found: dict[str, Hashable] = {}
    for action, afterstate in pairs:
        known = found.setdefault(action, afterstate)
        if known is not afterstate and (known != afterstate or repr(known) != repr(afterstate)):
            raise ConfigurationError(f"action {action!r:.80} leads to {known!r:.80} and to {afterstate!r:.80}")
    return found


@dataclass(frozen=True)
class Board(Rulebook):
    """The rules of a game that states its own positions.

    Play begins in the afterstate `start`; a state is the mover's view, one entry a column. `outcomes` may differ by
    `objective`, the name of the one that play is for. What an outcome pays counts for the mover before it. Where the
    players change roles the next state is worth what it is to the other one: what he has of a probability, the mover
    has not, which is a reward of 1 and the sign -1.
    """

    family = "boards"

    objective: str = field(default="", kw_only=True)

    objectives: ClassVar[Mapping[str, Objective]] = MappingProxyType({})  # each is table <game>_<name>
    columns: ClassVar[tuple[Column, ...]]  # of a position; texts or whole numbers
    drawing: ClassVar[tuple[Drawing, ...]] = ()
    most_positions: ClassVar[int] = 5_000_000
    note: ClassVar[str] = ""  # what is cut off, and why nothing is lost by it

    @abstractmethod
    def start(self) -> Hashable:
        """What lies on the table before anything is decided: an afterstate."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[str]:
        """The legal actions, never empty, in words; of equally good ones a policy takes the first."""

    @abstractmethod
    def afterstate(self, state: State, action: str) -> Hashable:
        """What lies on the table when the action is done and the dice have not fallen."""

    @abstractmethod
    def outcomes(self, afterstate: Hashable) -> Iterable[Outcome]:
        """How the dice can fall; the weights are positive integers. A plain tuple of all four is as good as an Outcome,
        and is made five times as fast."""

    def picture(self, state: State) -> str:
        """A position as lines of text; empty: as `drawing` says."""
        return ""

    def why_missing(self, state: State) -> str:
        """Why nobody decides anything in a position; for the message of a lookup."""
        return "no play leads there"


class LayeredBoard(Board):
    """A board whose play passes from layer to layer; games/compiled has its positions by number."""

    fallen: ClassVar[tuple[str, ...]]  # the columns that the dice fill in

    @property
    @abstractmethod
    def layers(self) -> Mapping[str, tuple[str, ...]]:
        """Each layer with those that play leads to from it, and after them; play begins in the last one."""

    @abstractmethod
    def size(self, layer: str) -> int:
        """How many positions before a throw a layer has, counted without looking at each."""
