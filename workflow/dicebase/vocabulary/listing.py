"""A listing says what a table lists: decisions with actions, values that imply decisions, or other rows."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from dicebase.vocabulary.errors import NO_PLAY, ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from dicebase.vocabulary.rules.rulebook import Rulebook
    from dicebase.vocabulary.rules.turns import Continuation

ROWS, STARTS = "rows", "starts"
"""How a match of turns is stored: all positions as rows, or only the starts of turns, from which the rest follows."""

MANY_ROWS = 5_000_000
"""If a match of turns has more rows, readers may keep only the starts of turns; a lookup then takes a millisecond."""

Line = tuple["Fraction", "Fraction"]
"""The value of an action beyond the stored totals, as (slope, value at total 0)."""

State = tuple
"""A position: one entry per column of `Listing.columns`, integers or texts of dice."""


class Column(NamedTuple):
    """A column as users see it."""

    name: str
    kind: type  # int or str of a state variable, float of a value, bool of a flag
    description: str
    unit: str = ""  # points, turns, probability
    label: str = ""  # what people call the column, if its name does not say it
    words: Mapping[int, str] | None = None  # words for values of a state variable, which lookups accept


def value_column(description: str, unit: str, name: str = "value") -> Column:
    """The column of a value, a float."""
    return Column(name, float, description, unit)


class Layout(Enum):
    """The kind of rows of a table."""

    DECISIONS = "decisions"  # positions, with all their actions in a second file
    TWO_ACTIONS = "two_actions"  # positions with at most two actions: value, action and margin determine everything
    FOLLOWED = "followed"  # values from which decisions follow
    DISTRIBUTION = "distribution"  # the probability of each value of the last column
    MATCHUPS = "matchups"  # results of policies against one another
    PAIRS = "pairs"  # the same, with the value of each pair of policies at every position in a second file
    VALUES = "values"  # other rows with a value

    @property
    def decides(self) -> bool:
        """Whether positions have actions to choose from, stored or derived."""
        return self in (Layout.DECISIONS, Layout.TWO_ACTIONS, Layout.FOLLOWED)


class AnsweredBy(NamedTuple):
    """The solved table of the same game that answers for variants that are not solved."""

    match: str  # its match format
    sizes: tuple[str, ...]  # the parameters in which it may differ


class Listing:
    """The rows of a table and how lookups read them; `Game` adds the rules of play."""

    layout: ClassVar[Layout]
    columns: tuple[Column, ...]  # of a row; tables are sorted by them
    value: ClassVar[Column]  # its description says whose payoff it is
    asked: ClassVar[str] = ""  # the meaning of a position's value, if it differs from that of a row
    more: ClassVar[tuple[Column, ...]] = ()  # further columns, of values or (in tables of decisions) of flags
    places: tuple[Column, ...] = ()  # Layout.PAIRS: the positions at which a pair of policies has a value
    of_pairs: ClassVar[tuple[Column, ...]] = ()  # Layout.PAIRS: further columns of these values
    numbered: ClassVar[bool] = False  # whether rows are numbered positions of a layered board
    described: tuple[Column, ...] = ()  # columns that describe a numbered row; lookups do not use them
    rules_of_play: ClassVar[str] = ""  # rules of the match format, in words, for a player
    sense: ClassVar[int] = 1  # 1 if the mover wants more, -1 if the mover wants less
    action_unit: ClassVar[str] = ""  # the unit of a bare number as action, such as dice
    # The listing that variants with too many decisions store instead.
    follows_from: ClassVar[type[Listing] | None] = None
    answered_by: ClassVar[AnsweredBy | None] = None
    # The listing of positions that lookups ask for, if it is not this one but follows from its values.
    asked_as: ClassVar[type[Listing] | None] = None
    # In a lookup: default values of columns, columns that must be given together, and other names of columns, each with
    # a prefix for the value given.
    defaults: ClassVar[Mapping[str, int | str]] = MappingProxyType({})
    together: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({})
    # Functions that return the one spelling of a text in a column, and raise ConfigurationError for a wrong text.
    spelling: ClassVar[Mapping[str, Callable[[str], str]]] = MappingProxyType({})
    reads: ClassVar[tuple[str, ...]] = ()  # columns in which words may stand for a number, see `read`
    # The function of tabulate/ that makes the rows, and the module of certify/ that checks them; if empty, family and
    # match format determine them.
    tabulated_by: ClassVar[str] = ""
    certified_by: ClassVar[str] = ""
    note: str = ""  # values beyond the stored rows, in words
    continuation: Continuation | None = None  # the same in numbers, for a table without a last row

    @property
    def needs(self) -> tuple[Mapping[str, int | str], ...]:
        """The variants of the same table whose values this one needs, as the parameters in which they differ."""
        return ()

    @classmethod
    def expanded(
        cls, build_rules: Callable[[], Rulebook], parameters: Mapping[str, int | str]
    ) -> list[Mapping[str, int | str]]:
        """The variants that one variant in the configuration expands to; `build_rules` makes its rules."""
        return [parameters]

    @property
    def stored(self) -> Listing:
        """The listing of this variant's files: itself, or the values from which its decisions follow."""
        return self

    @property
    def play(self) -> Listing:
        """The game that the values are about: the listing itself, or the game that it lists in part."""
        return self

    def stored_by(self, store: str) -> Listing:
        """The listing if it is stored by ROWS or STARTS; raises ConfigurationError if that is not possible."""
        if store != ROWS:
            raise ConfigurationError(f"store: {STARTS} is for matches of turns only; give {ROWS}")
        return self.stored

    @property
    def why_not_solved(self) -> str:
        """The reason why a valid variant is not solved, such as its size; empty if it is."""
        return ""

    @property
    def bytes(self) -> int:
        """Memory in bytes for solving and certifying, beyond what any variant takes. Measured, because it cannot be
        derived from the time, which grows with another power of the size. Accurate only for large variants."""
        return 0

    @property
    def unit_of_game(self) -> str:
        """The unit of the game's value; for a distribution, the unit of its mean."""
        return (self.columns[-1] if self.layout is Layout.DISTRIBUTION else self.value).unit

    @property
    def why_not_answered(self) -> str:
        """The reason why no other variant of the table answers for this one; empty if one may."""
        return ""

    def with_continuation(self, continuation: Continuation) -> Listing:
        """The listing with a claim about values beyond the stored rows; raises ValueError if there are none."""
        raise ValueError("this table has no values beyond its stored rows")

    def answered_in(self, other: Listing) -> bool:
        """Whether `other`, a variant of this table that differs in `answered_by.sizes`, answers for this one."""
        return False

    def state_in(self, other: Listing, state: State) -> State | None:
        """The position of `other` with the same actions and values; None if there is none."""
        return None

    def beyond(self, state: State) -> Mapping[str, Fraction] | None:
        """The values of actions in a position beyond the stored rows, see `note`; None if there are none."""
        return None

    def lines(self) -> Iterator[tuple[int, State, Mapping[str, Line]]]:
        """Yield all that `beyond` uses: (total modulo the period, other columns of the position, {action: line})."""
        return iter(())

    def read(self, column: str, said: str) -> int | None:
        """The number that words stand for in a column of `reads`; None if they do not stand for a number. Raises
        ConfigurationError for words that are close to valid ones."""
        return None

    def why_missing(self, state: State) -> str:
        """The reason why a well-formed row is not in the table, for the message of a lookup."""
        return NO_PLAY
