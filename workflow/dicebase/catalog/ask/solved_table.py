"""A solved table: its variants with their rules and rows, and the messages that say what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dicebase.catalog.ask.answer import Position
from dicebase.catalog.rows.row_arrays import DECISIONS, LONGER, VALUES, Mapped, Part
from dicebase.families import family_of
from dicebase.tables.follow.one_position import stored_turns
from dicebase.tables.follow.rolls import ROLL, takes_rolls, why_no_roll
from dicebase.tables.names import Table, Variant, layers_of, shared
from dicebase.vocabulary import NO_PLAY, TIE, Json, Listing, MissingTableError, some, words

if TYPE_CHECKING:
    import numpy as np

    from dicebase.families.family import Follower
    from dicebase.tables.follow.one_position import TurnOf
    from dicebase.tables.follow.positions import Match
    from dicebase.tables.follow.ranking import RankedChoices
    from dicebase.vocabulary.layers import Layers


class SolvedVariant:
    """One variant: its row in the view `tables`, its rules and its stored rows."""

    def __init__(self, table: Table, mapped: Mapped, row: Json) -> None:
        self.table, self.mapped, self.row = table, mapped, row
        self.parameters: Variant = row["parameters"]
        self.unit: str = row["unit"]
        self.error_bound: float = row["error_bound"]
        self.definitions = json.loads(row["definitions"])

    @cached_property
    def game(self) -> Listing:
        """The positions of the variant, built from its rules."""
        return self.table.build(self.parameters, self.definitions, self.row["continuation"])

    @cached_property
    def layers(self) -> Layers:
        """The numbered positions of a board game, layer by layer."""
        return layers_of(self.game.rules)

    @cached_property
    def part(self) -> Part:
        """The part of the table that stores this variant."""
        return self.mapped.part(self.parameters)

    @property
    def followed(self) -> bool:
        """Whether the variant stores only values, from which decisions are computed."""
        return self.part is self.mapped.parts.get(VALUES)

    @cached_property
    def by_starts(self) -> bool:
        """Whether the variant stores only the starts of turns, from which all other positions are computed."""
        return tuple(self.parameters.values()) in self.mapped.starts

    @cached_property
    def positions(self) -> Match:
        """The positions inside the turns of a match, with the q-values of rolling and banking."""
        from dicebase.tables.follow.positions import Inside
        from dicebase.tables.follow.turns import Starts

        if not self.by_starts:
            return Inside(self.game, self.part, self.parameters)
        first, count = self.part.row_numbers.span(self.part.key(self.parameters))
        return Starts(self.game, self.part.rows("value", slice(first, first + count)))

    @cached_property
    def follower(self) -> Follower:
        """The function that computes decisions from stored values."""
        listing = self.table.followed(self.game.rules)
        return family_of(self.game.rules).follower(listing, self.part, self.parameters)

    @cached_property
    def turn_of(self) -> TurnOf:
        """The values inside one turn of a match."""
        if not self.by_starts:
            return stored_turns(self.game, self.part, self.parameters)
        from dicebase.tables.follow.one_turn import SingleTurns

        return SingleTurns(self.positions)

    def choices(
        self, state: Mapping[str, np.ndarray], rolls: Sequence[str | None]
    ) -> Iterator[tuple[np.ndarray | slice, RankedChoices]]:
        """Rank actions from stored rows. Yield (the indices of some of the n positions, their ranked actions).

        state : an array of shape (n,) for each state column. rolls : the rolls that the column `roll` indexes.
        """
        from dicebase.tables.follow.keeps import decisions
        from dicebase.tables.follow.ranking import rank_choices

        found = self.follower(state, rolls) if self.followed else decisions(self.game, self.positions, state, rolls)
        sense, tolerance = (1, 2 * self.error_bound) if self.followed else (self.game.sense, TIE)
        for at, choices in found:
            yield at, rank_choices(choices, sense, tolerance)


class SolvedTable:
    """A table with its solved variants."""

    def __init__(self, table: Table, mapped: Mapped, results: Path, answered_from: SolvedTable | None = None) -> None:
        """answered_from : the table of values by number from which answers follow, for a table without rows."""
        self.answered_from = answered_from
        self.table, self.mapped, self.results = table, mapped, results
        self.name, self.match = table.name, table.match_class
        self.columns = mapped.columns  # parameters and state, with their SQL types
        self.rolls = takes_rolls(table, mapped.columns)
        self.variants = [SolvedVariant(table, mapped, row) for row in mapped.variants]
        solved = shared([v.parameters for v in self.variants])
        self.parameters = {p.name: replace(p, default=solved.get(p.name, p.default)) for p in table.parameters}
        self._by_point = {tuple(v.parameters.values()): v for v in self.variants if not answered_from}
        # The state columns that only variants in the part `longer` have.
        parts = mapped.parts
        both = {DECISIONS, LONGER} <= parts.keys()
        self.more = {*parts[LONGER].columns} - {*parts[DECISIONS].columns} if both else set()

    def find(self, variant: Variant) -> SolvedVariant | None:
        """Return a variant, or None if it is not solved."""
        return self._by_point.get(tuple(variant.values()))

    def require(self, variant: Variant) -> SolvedVariant:
        """Return a variant. Raises MissingTableError if it is not solved."""
        if not (solved := self.find(variant)):
            raise MissingTableError(self.not_solved(variant))
        return solved

    def having(self, given: Mapping[str, object]) -> list[SolvedVariant]:
        """Return the variants with the given parameters. Raises ConfigurationError for an unknown parameter, and
        MissingTableError if there is no such variant."""
        self.table.check_names(given, self.name)
        asked = {(n, str(x)) for n, x in given.items()}
        if not (found := [v for v in self.variants if asked <= {(n, str(x)) for n, x in v.parameters.items()}]):
            raise MissingTableError(self.not_solved(given))
        return found

    def rules(self, variant: Variant) -> object:
        """Return the rules of a variant that has answers, solved or not."""
        return self.table.build_rules(variant, (self.find(variant) or self.variants[0]).definitions)

    def own_columns(self, variant: Variant, state: Position) -> Position:
        """Return a position without the columns that this variant lacks."""
        if not self.more or ((solved := self.find(variant)) and solved.part is self.mapped.parts[LONGER]):
            return state
        return {n: x for n, x in state.items() if n not in self.more}

    def is_rolled(self, given: Mapping[str, object]) -> bool:
        """Return whether the question gives a roll to keep dice from, instead of a position that the table lists."""
        return self.rolls and ROLL in given

    def solved_values(self, parameter: str) -> list[int | str]:
        """Return the solved values of a parameter, sorted."""
        return sorted({v.parameters[parameter] for v in self.variants})

    # --- messages -----------------------------------------------------------------------------------------------------

    def not_solved(self, variant: Mapping[str, int | str]) -> str:
        """Return the message that a variant is not solved; it lists the solved values of each parameter."""
        solved = ", ".join(f"{name}: {some(self.solved_values(name))}" for name in variant)
        return (
            f"{self.results}: {self.name} is not solved for {words(variant)}; "
            f"solved values are {solved} (not every combination is solved; 'make full' builds more, and "
            f"'dicebase solve {self.name} {words(variant)} -o DIR' solves only this one)"
        )

    def why_missing(self, game: Listing, state: Position, there: Position | None = None) -> str:
        """Return the message that a position has no row; `there` (parameters and state) is where it would be stored."""
        variant = there and self.find({name: there[name] for name in self.parameters})
        what = "decision" if self.match.layout.decides else "row"
        place = f"{self.name}: no {what} at {words(state)}"
        if not self.is_rolled(state):
            why = game.why_missing(tuple(state.values()))
            return f"{place}: {why}{_allowed(variant, there) if variant and why == NO_PLAY else ''}"
        possible = []
        if there:
            *record, total = (x for n, x in there.items() if n != ROLL and n not in self.parameters)
            worths = variant.turn_of(record, total)
            possible = [mode for mode in sorted(variant.game.rules.modes) if worths(total, mode)]
        return f"{place}: {why_no_roll(game, tuple(state.values()), possible)}"


def _allowed(variant: SolvedVariant, state: Position) -> str:
    """Say which values the first wrong column of a position may have; empty if that is a long list."""
    part = variant.part
    key = [] if variant.by_starts or variant.followed or part.counted else part.key(state)
    for i, name in enumerate(part.columns[: len(key)]):
        if key[i] not in (known := part.following(key[:i])):
            texts = part.texts.get(name)
            values = some([texts[n] or "-" if texts else n for n in known])
            return "" if values.endswith("...") else f"; {name} can be {values}"
    return ""
