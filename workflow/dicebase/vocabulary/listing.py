"""What a table lists: rows with a value, or decisions with their actions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

State = tuple
"""A decision: one entry for each of `Game.columns`, integers or dice texts."""


class Column(NamedTuple):
    """A state variable as people see it."""

    name: str
    kind: type  # int or str
    description: str
    unit: str = ""


class Listing:
    """What a table lists: rows with a value. A Game lists its decisions; some tables have none."""

    columns: tuple[Column, ...]  # of a row, in order; tables are sorted by them
    unit: ClassVar[str]  # of the value: points, turns, probability
    value_is: ClassVar[str]  # whose payoff, in words
    value_name: ClassVar[str] = "value"  # its column
    start_unit: ClassVar[str] = ""  # of the value of the whole game, where it is not that of the rows
    more_values: ClassVar[tuple[tuple[str, str], ...]] = ()  # further columns of values: (name, description)
    more_units: ClassVar[Mapping[str, str]] = MappingProxyType({})  # of those of another unit, by name
    flags: ClassVar[tuple[tuple[str, str], ...]] = ()  # further columns of truth values: (name, description)
    action_unit: ClassVar[str] = ""  # what a bare number among the actions counts, such as dice
    decides: ClassVar[bool] = False  # whether positions have actions to rank, stored or following from what is
    state_columns: tuple[Column, ...] = ()  # of such a position, where they are not the stored columns
    # What answers lookups of variants that are not solved: a match format, and the parameters that may differ there.
    answered_by: ClassVar[tuple[str, tuple[str, ...]] | None] = None
    answered_by_none: str = ""  # why a variant is not answered by another one of its own table, in words
    # The module of certify/ that certifies it; empty: that of its family and match format.
    certified_by: ClassVar[str] = ""
    values: ClassVar[type[Listing] | None] = None  # what variants with too many decisions to store list instead
    summarised: ClassVar[bool] = False  # whether values are the chances of the last column, which has a mean then
    many_rows: ClassVar[bool] = False  # whether they are read for certification as arrays, not one by one
    bounded: ClassVar[bool] = False  # whether its view has the error bound of the variant beside each row
    note: str = ""  # what holds beyond the stored rows, in words

    @property
    def stored(self) -> Listing:
        """What the files of this variant list: itself, or values from which its decisions follow."""
        return self

    def answered_in(self, other: Listing) -> bool:
        """Whether a variant whose parameters in `answered_by` differ, of the same table, answers for this one."""
        return False

    def state_in(self, other: Listing, state: State) -> State | None:
        """The position of such a variant that has the same actions, values included; None if there is no `state`."""
        return None

    def why_missing(self, state: State) -> str:
        """Why a row of the right types is not in the table; for the message of a lookup."""
        return "no play leads there"


class Decisions(Listing):
    """A table of decisions: each row has actions, ranked by what they are worth."""

    decides = True
    sense: ClassVar[int] = 1  # 1 where more is better for the mover, -1 where less is
    two_actions: ClassVar[bool] = False  # no state has more, so that its row says everything: no actions are stored
