"""What a table lists: decisions with their actions, values from which decisions follow, or rows that decide nothing."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from dicebase.vocabulary.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from dicebase.vocabulary.rulebook import Rulebook
    from dicebase.vocabulary.turns import Continuation

ROWS, STARTS = "rows", "starts"
"""How a match of turns is stored: by rows of all positions, or by the starts of its turns, from which they follow."""

MANY_ROWS = 5_000_000
"""Of matches of turns with more rows readers may keep the starts of turns alone: what follows takes a millisecond."""

Line = tuple["Fraction", "Fraction"]
"""What an action is worth past the stored totals: (slope, worth at a total of 0)."""

State = tuple
"""A position: one entry for each of `Listing.columns`, integers or dice texts."""


class Column(NamedTuple):
    """A column as people see it."""

    name: str
    kind: type  # int or str of a state variable, float of a value, bool of a flag
    description: str
    unit: str = ""  # points, turns, probability


def worth(description: str, unit: str, name: str = "value") -> Column:
    """The column of a value."""
    return Column(name, float, description, unit)


class Layout(Enum):
    """What the rows of a table say."""

    DECISIONS = "decisions"  # positions, and all their actions beside
    TWO_ACTIONS = "two_actions"  # positions of at most two actions: value, action and margin say everything
    FOLLOWED = "followed"  # values, from which decisions follow
    DISTRIBUTION = "distribution"  # how likely each value of the last column is
    MATCHUPS = "matchups"  # what policies earn against one another
    PAIRS = "pairs"  # the same, with the value of each pair of policies by position beside
    VALUES = "values"  # any other rows with a value

    @property
    def decides(self) -> bool:
        """Whether positions have actions to choose from, stored or following from what is."""
        return self in (Layout.DECISIONS, Layout.TWO_ACTIONS, Layout.FOLLOWED)


class AnsweredBy(NamedTuple):
    """Which solved table of the same game answers lookups of variants that are not solved."""

    match: str  # the match format
    sizes: tuple[str, ...]  # the parameters that may differ there


class Listing:
    """What a table lists."""

    layout: ClassVar[Layout]
    columns: tuple[Column, ...]  # of a row, in order; tables are sorted by them
    value: ClassVar[Column]  # its description says whose payoff it is
    asked: ClassVar[str] = ""  # what the value of a position is, where that of a row is another
    more: ClassVar[tuple[Column, ...]] = ()  # further columns of values or, beside decisions, of flags
    places: tuple[Column, ...] = ()  # of Layout.PAIRS: the positions at which a pair of policies has a value
    numbered: ClassVar[bool] = False  # whether rows are positions of a board by number, as those of layers
    described: tuple[Column, ...] = ()  # and of what a row that has a number is; nobody asks by them
    rules_of_play: ClassVar[str] = ""  # that a player must know beside those of the game, in words
    sense: ClassVar[int] = 1  # 1 where more is better for the mover, -1 where less is
    action_unit: ClassVar[str] = ""  # what a bare number among the actions counts, such as dice
    # Of a table of decisions: the listing that variants with too many of them store instead.
    follows_from: ClassVar[type[Listing] | None] = None
    answered_by: ClassVar[AnsweredBy | None] = None
    # Of a question: columns that may be left out, with what they are then; those that are given all or none; and other
    # names of columns, with words before what they say.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})
    together: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({})
    reads: ClassVar[tuple[str, ...]] = ()  # the columns in which words may stand for a number, see `read`
    # The function of tabulate/ that makes it, the module of certify/ that checks it; empty: those that its family and
    # match format name.
    tabulated_by: ClassVar[str] = ""
    certified_by: ClassVar[str] = ""
    note: str = ""  # what holds beyond the stored rows, in words
    continuation: Continuation | None = None  # and in numbers, where there is no last row

    @property
    def needs(self) -> tuple[Mapping[str, int | str], ...]:
        """The variants of the same table that this one is solved from, by the parameters in which they differ."""
        return ()

    @classmethod
    def expanded(
        cls, build_rules: Callable[[], Rulebook], parameters: Mapping[str, int | str]
    ) -> list[Mapping[str, int | str]]:
        """The variants that stand behind one of a configuration; `build_rules` gives the rules of its parameters."""
        return [parameters]

    @property
    def stored(self) -> Listing:
        """What the files of this variant list: itself, or the values from which its decisions follow."""
        return self

    @property
    def play(self) -> Listing:
        """The game that its values are about, a Game where one decides: itself, or that of which it lists a part."""
        return self

    def stored_by(self, store: str) -> Listing:
        """The same where it is to be stored by ROWS or STARTS; raises ConfigurationError where it cannot be."""
        if store != ROWS:
            raise ConfigurationError(f"store: {STARTS} is for matches of turns: nothing follows here; give {ROWS}")
        return self.stored

    @property
    def why_not_solved(self) -> str:
        """Why it is not solved, though its rules are fine, in words, such as its size; empty where it is."""
        return ""

    @property
    def bytes(self) -> int:
        """The memory that solving and certifying it take beyond what any variant does, no less by far where it is much;
        measured, for what is held at once grows with another power than the time."""
        return 0

    @property
    def unit_of_game(self) -> str:
        """The unit of the value of the whole game; that of a distribution is its mean."""
        return (self.columns[-1] if self.layout is Layout.DISTRIBUTION else self.value).unit

    @property
    def why_not_answered(self) -> str:
        """Why no other variant of its own table answers for this one, in words; empty where one may."""
        return ""

    def with_continuation(self, continuation: Continuation) -> Listing:
        """The same, told what holds beyond the stored rows; raises ValueError where these are all."""
        raise ValueError("the stored rows are all: nothing holds beyond them")

    def answered_in(self, other: Listing) -> bool:
        """Whether a variant of other `answered_by.sizes`, of the same table, answers for this one."""
        return False

    def state_in(self, other: Listing, state: State) -> State | None:
        """The position of such a variant that has the same actions, values included; None if there is no `state`."""
        return None

    def beyond(self, state: State) -> Mapping[str, Fraction] | None:
        """What each action is worth in a position past the stored rows, as `note` says; None where there is none."""
        return None

    def lines(self) -> Iterator[tuple[int, State, Mapping[str, Line]]]:
        """What `beyond` says, at once: (total modulo the period, the rest of a position, its actions)."""
        return iter(())

    def read(self, column: str, said: str) -> int | None:
        """The number that words stand for in one of the columns `reads`, None if they stand for none; raises
        ConfigurationError if something like them would."""
        return None

    def why_missing(self, state: State) -> str:
        """Why a row of the right types is not in the table; for the message of a lookup."""
        return "no play leads there"
