"""A variant as it is solved: its rules, and the mapped rows that answer for it; what follows from rows needs NumPy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from dicebase.catalog.rows.row_arrays import VALUES, Mapped, Part
from dicebase.families import family_of
from dicebase.tables.names import Table, Variant, layers_of
from dicebase.vocabulary import TIE, Json, Listing

if TYPE_CHECKING:
    import numpy as np

    from dicebase.families.family import Follower
    from dicebase.tables.follow.positions import Match
    from dicebase.tables.follow.ranking import RankedChoices
    from dicebase.vocabulary.layers import Layers


class SolvedVariant:
    """One variant: its row of the view `tables`, its rules, its rows."""

    def __init__(self, table: Table, mapped: Mapped, row: Json) -> None:
        self.table, self.mapped, self.row = table, mapped, row
        self.parameters: Variant = row["parameters"]
        self.unit: str = row["unit"]
        self.error_bound: float = row["error_bound"]
        self.definitions = json.loads(row["definitions"])

    @cached_property
    def game(self) -> Listing:
        """What it lists."""
        return self.table.build(self.parameters, self.definitions, self.row["continuation"])

    @cached_property
    def layers(self) -> Layers:
        """Of a board in layers: its positions by number."""
        return layers_of(self.game.rules)

    @cached_property
    def part(self) -> Part:
        """The rows that it is in."""
        return self.mapped.part(self.parameters)

    @property
    def followed(self) -> bool:
        """Whether its rows are values, from which decisions follow."""
        return self.part is self.mapped.parts.get(VALUES)

    @cached_property
    def by_starts(self) -> bool:
        """Whether its rows are the starts of turns, from which all positions follow."""
        return tuple(self.parameters.values()) in self.mapped.starts

    @cached_property
    def positions(self) -> Match:
        """Of a match of turns: the worth of what one can do in them."""
        from dicebase.tables.follow.positions import Inside
        from dicebase.tables.follow.turns import Starts

        if not self.by_starts:
            return Inside(self.game, self.part, self.parameters)
        first, count = self.part.row_numbers.span(self.part.key(self.parameters))
        return Starts(self.game, self.part.rows("value", slice(first, first + count)))

    @cached_property
    def follower(self) -> Follower:
        """If its rows are values: the function that gives decisions from them."""
        listing = self.table.followed(self.game.rules)
        return family_of(self.game.rules).follower(listing, self.part, self.parameters)

    def choices(
        self, state: Mapping[str, np.ndarray], rolls: Sequence[str | None]
    ) -> Iterator[tuple[np.ndarray | slice, RankedChoices]]:
        """(which of n positions, the actions there) that follow from rows, or of a roll; none where none can be done.

        state : (n,) by column. rolls : the texts that the numbers of this column stand for.
        """
        from dicebase.tables.follow.keeps import decisions
        from dicebase.tables.follow.ranking import rank_choices

        found = self.follower(state, rolls) if self.followed else decisions(self.game, self.positions, state, rolls)
        sense, tolerance = (1, 2 * self.error_bound) if self.followed else (self.game.sense, TIE)
        for at, choices in found:
            yield at, rank_choices(choices, sense, tolerance)
