"""A variant as it is solved: its rules, and the mapped rows that answer for it; what follows from rows needs NumPy."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from dicebase.catalog.ask.answer import Action, Position, best_first
from dicebase.catalog.rows.row_arrays import VALUES, Mapped, Part
from dicebase.families import family_of
from dicebase.tables.follow.rolls import ROLL
from dicebase.tables.names import Table, Variant, layers_of
from dicebase.vocabulary import TIE, Json, Listing, Ranked, over_one_denominator, rank, rank_two

if TYPE_CHECKING:
    import numpy as np

    from dicebase.families.family import Follower
    from dicebase.tables.follow.positions import Match
    from dicebase.tables.follow.ranking import RankedChoices
    from dicebase.vocabulary.layers import Layers

LARGE = 2**53
"""No row has a number as large as this, and no sum with one overflows."""


class Ranking(NamedTuple):
    """What a position is worth, and its actions, best first."""

    value: float
    actions: tuple[Action, ...] = ()
    values: Mapping[str, float] = {}
    beyond: str = ""  # by what theorem, where the position is past the stored rows


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

    def ranking(self, state: Position) -> Ranking | None:
        """The value of a position and its actions; None if the table does not have it."""
        part, layout = self.part, self.table.match_class.layout
        inside = self.by_starts and state["turn_total"] != 0
        if self.followed or inside or (ROLL in state and ROLL not in part.columns):
            return self._ranking_that_follows(state)
        if (row := part.row(self.parameters | state)) < 0:
            return self.ranking_beyond(state)
        value, *more = part.records[row]
        if not layout.decides:
            return Ranking(value, (), dict(zip(part.further, more, strict=True)))
        if part.stored_actions is None:
            # The sign of the margin says which one is best.
            names = part.names if math.copysign(1.0, more[0]) < 0 else part.names[::-1]
            return Ranking(value, actions_of(names, rank_two(value, abs(more[0]), self.table.match_class.sense)))
        return Ranking(
            value,
            best_first(Action(*said) for said in part.actions_of(row)),
        )

    def ranking_beyond(self, state: Position) -> Ranking | None:
        """Past the stored rows, where a theorem says what every action is worth."""
        if any(isinstance(x, int) and x >= LARGE for x in state.values()):
            return None
        if not (q_values := self.game.beyond(tuple(state.values()))):
            return None
        ranked = rank(*over_one_denominator(list(q_values.values())), sense=self.game.sense)
        return Ranking(ranked.value, actions_of(list(q_values), ranked), beyond=self.game.note)

    def _ranking_that_follows(self, state: Position) -> Ranking | None:
        import numpy as np

        arrays = {n: np.array([max(-LARGE, min(LARGE, x))]) for n, x in state.items() if not isinstance(x, str)}
        rolls = [state[ROLL]] if ROLL in state else []
        if rolls:
            arrays[ROLL] = np.zeros(1, np.int64)
        for _, choices in self.choices(arrays, rolls):
            if choices.found[0]:
                return Ranking(float(choices.values[0]), best_first(Action(*a) for a in choices.actions(0)))
        return None

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


def actions_of(names: list[str], ranked: Ranked) -> tuple[Action, ...]:
    """The actions of one position, best first."""
    columns = ranked.q_values, ranked.regrets, ranked.probabilities, ranked.optimal, ranked.undecided
    return best_first(map(Action, names, *columns))
