"""A table as it is solved: its variants, and the messages that say which positions and variants are missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dicebase.catalog.ask.answer import Position
from dicebase.catalog.ask.solved_variant import SolvedVariant
from dicebase.catalog.rows.row_arrays import DECISIONS, LONGER, Mapped
from dicebase.tables.follow.rolls import ROLL, takes_rolls, why_no_roll
from dicebase.tables.names import Table, Variant
from dicebase.vocabulary import Listing, some, words


class SolvedTable:
    """The solved variants of a table."""

    def __init__(self, table: Table, mapped: Mapped, results: Path, has_rows: bool = True) -> None:
        self.table, self.mapped, self.results = table, mapped, results
        self.name, self.match = table.name, table.match_class
        self.columns = mapped.columns  # parameters and state, with their SQL types
        self.parameters = {p.name: p for p in table.parameters}
        self.rolls = takes_rolls(table, mapped.columns)
        self.variants = [SolvedVariant(table, mapped, row) for row in mapped.variants]
        self._by_point = {tuple(v.parameters.values()): v for v in self.variants if has_rows}
        # The columns that only the variants of the part `longer` have.
        parts = mapped.parts
        both = {DECISIONS, LONGER} <= parts.keys()
        self.more = {*parts[LONGER].columns} - {*parts[DECISIONS].columns} if both else set()

    def find(self, variant: Variant) -> SolvedVariant | None:
        """A variant, if it is solved."""
        return self._by_point.get(tuple(variant.values()))

    def rules(self, variant: Variant) -> object:
        """The rules of a variant that there is an answer for."""
        return self.table.build_rules(variant, (self.find(variant) or self.variants[0]).definitions)

    def own_columns(self, variant: Variant, state: Position) -> Position:
        """A position without the columns that only other variants have."""
        if not self.more or ((solved := self.find(variant)) and solved.part is self.mapped.parts[LONGER]):
            return state
        return {n: x for n, x in state.items() if n not in self.more}

    def is_rolled(self, given: Mapping[str, object]) -> bool:
        """Whether a position is a roll from which the player keeps dice, and not what the table lists."""
        return self.rolls and ROLL in given

    def solved_values(self, parameter: str) -> list[int | str]:
        """The values of a parameter that are solved."""
        return sorted({v.parameters[parameter] for v in self.variants})

    # --- messages -----------------------------------------------------------------------------------------------------

    def not_solved(self, variant: Mapping[str, int | str]) -> str:
        """The message that says which values exist, by parameter."""
        solved = ", ".join(f"{name}: {some(self.solved_values(name))}" for name in variant)
        return (
            f"{self.results}: {self.name} is not solved for {words(variant)}; "
            f"solved are {solved} (not all combinations need be; 'make full' builds more, and "
            f"'dicebase solve {self.name} {words(variant)} -o DIR' this one alone)"
        )

    def why_missing(self, game: Listing, state: Position, there: Position | None = None) -> str:
        """Why nobody decides anything at a position; `there` is where it would be stored, parameters and state."""
        what = "decision" if self.match.layout.decides else "row"
        place = f"{self.name}: no {what} at {words(state)}"
        if not self.is_rolled(state):
            return f"{place}: {game.why_missing(tuple(state.values()))}"
        possible = []
        if there:
            variant = self.find({name: there[name] for name in self.parameters})
            *record, total = (x for n, x in there.items() if n != ROLL and n not in self.parameters)
            possible = variant.positions.hands_at(record, total)
        return f"{place}: {why_no_roll(game, tuple(state.values()), possible)}"
