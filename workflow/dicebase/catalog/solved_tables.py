"""Tables as they are solved: rules, and the mapped rows that answer for them; what follows from rows needs NumPy."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from dicebase.catalog.answer import Action, Position, best_first
from dicebase.catalog.row_arrays import VALUES, Mapped, Part, mapped_tables
from dicebase.tables.follow.rolls import ROLL, takes_rolls, why_no_roll
from dicebase.tables.layout import MAPPED
from dicebase.tables.names import Table, Variant, find_table, layers_of
from dicebase.vocabulary import (
    TIE,
    DamagedFileError,
    Listing,
    MissingTableError,
    Ranked,
    Sheet,
    nearest,
    over_one_denominator,
    rank,
    rank_two,
    some,
    words,
)

if TYPE_CHECKING:
    import numpy as np

    from dicebase.tables.follow.positions import Positions
    from dicebase.tables.follow.ranking import RankedChoices
    from dicebase.tables.follow.sheets import SheetTurns
    from dicebase.vocabulary.layers import Layers

KINDS = {int: "INTEGER", str: "VARCHAR"}
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

    def __init__(self, table: Table, mapped: Mapped, row: Mapping[str, Any]) -> None:
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
    def positions(self) -> Positions:
        """Of a match of turns: the worth of what one can do in them."""
        from dicebase.tables.follow.positions import Inside
        from dicebase.tables.follow.turns import Starts

        if not self.by_starts:
            return Inside(self.game, self.part, self.parameters)
        first, count = self.part.row_numbers.span(self.part.key(self.parameters))
        return Starts(self.game, self.part.rows["value"][first : first + count])

    @cached_property
    def turns(self) -> SheetTurns | None:
        """Of a score sheet: its turns, that follow from the values at their starts."""
        from dicebase.tables.follow.sheets import SheetTurns

        sheet = self.followed and isinstance(self.game.rules, Sheet)
        return SheetTurns(self.game, self.part, self.parameters) if sheet else None

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
            best_first(Action(a, q, r, float(p), *flags) for a, q, r, p, *flags in part.actions_of(row)),
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
        if self.turns and ROLL in state:
            arrays[ROLL] = np.zeros(1, np.int64)
        for _, choices in self.choices(arrays, state.get(ROLL)):
            if choices.found[0]:
                return Ranking(float(choices.values[0]), best_first(Action(*a) for a in choices.actions(0)))
        return None

    def choices(
        self, state: Mapping[str, np.ndarray], roll: str | Sequence[str] | None
    ) -> Iterator[tuple[np.ndarray | slice, RankedChoices]]:
        """(which of n positions, the actions there) that follow from rows, or of a roll; none where none can be done.

        state : (n,) by column. roll : of a score sheet the texts that the numbers of this column stand for.
        """
        from dicebase.tables.follow.keeps import keeps
        from dicebase.tables.follow.placements import placements
        from dicebase.tables.follow.positions import roll_or_bank
        from dicebase.tables.follow.ranking import rank_choices

        if self.turns:
            found = self.turns.decisions(state, [roll] if isinstance(roll, str) else roll or [])
        elif self.followed:
            listing = self.table.followed(self.game.rules)
            found = ((slice(None), placements(listing, self.part, self.parameters, state)),)
        else:
            game, positions = self.game, self.positions
            some = roll_or_bank(game, positions, state) if roll is None else keeps(game, positions, state, roll)
            found = ((slice(None), some),) if some else ()
        sense, tolerance = (1, 2 * self.error_bound) if self.followed else (self.game.sense, TIE)
        for at, choices in found:
            yield at, rank_choices(choices, sense, tolerance)


def actions_of(names: list[str], ranked: Ranked) -> tuple[Action, ...]:
    """The actions of one position, best first."""
    columns = ranked.q_values, ranked.regrets, ranked.probabilities, ranked.optimal, ranked.undecided
    return best_first(map(Action, names, *columns))


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

    def find(self, variant: Variant) -> SolvedVariant | None:
        """A variant, if it is solved."""
        return self._by_point.get(tuple(variant.values()))

    def rules(self, variant: Variant) -> object:
        """The rules of a variant that there is an answer for."""
        return self.table.build_rules(variant, (self.find(variant) or self.variants[0]).definitions)

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


class SolvedTables(Mapping[str, SolvedTable]):
    """The tables of a results folder by name, opened when they are asked for; what is open stays what it is, whatever
    is built meanwhile."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self._mapped: dict[str, Mapped] = {}
        self._solved: dict[str, SolvedTable] = {}

    @cached_property
    def _digests(self) -> dict[str, str]:
        """Of the contents of each table; raises MissingTableError where there are none."""
        return mapped_tables(self.results)

    def __getitem__(self, name: str) -> SolvedTable:
        """Raises MissingTableError, with the nearest name, where it is not there, or where its rules are not found."""
        if name not in self._solved:
            if name not in self._digests and (table := self._in_layers(name)):
                return self._solved.setdefault(name, table)
            mapped = self.mapped(name)
            try:
                self._solved[name] = SolvedTable(find_table(name), mapped, self.results)
            except MissingTableError as error:
                why = f": {error}" if error.__cause__ else "; name the folder of their file in DICEBASE_GAMES"
                raise MissingTableError(f"{name}: solved, but its rules are not found{why}") from error
        return self._solved[name]

    def mapped(self, name: str) -> Mapped:
        """The rows of a table; raises MissingTableError where it is not there."""
        if name not in self._mapped:
            if name not in self._digests:
                raise MissingTableError(f"{self.results}: no table '{name}'{nearest(name, self._digests)}")
            try:
                self._mapped[name] = Mapped(self.results / MAPPED / name, self._digests[name])
            except DamagedFileError:
                now = mapped_tables(self.results)
                if now == self._digests:
                    raise
                self._digests = now  # another build has taken the place of the one that was read
                return self.mapped(name)
        return self._mapped[name]

    def _in_layers(self, name: str) -> SolvedTable | None:
        """A board that is solved by its layers alone, without rows; None where it is not."""
        with suppress(MissingTableError):
            table = find_table(name)
            of = table.match_class.answered_by
            layers = self[f"{table.game}_{of.match}"] if of and of.match != table.match else None
            if layers and layers.variants[0].game.described:
                names = [p.name for p in table.parameters]
                rows = [v.row | {"parameters": {n: v.parameters[n] for n in names}} for v in layers.variants]
                columns = table.build(rows[0]["parameters"], layers.variants[0].definitions).columns
                kinds = {c.name: KINDS[c.kind] for c in (*table.parameters, *columns)}
                mapped = SimpleNamespace(columns=kinds, variants=rows, parts={}, starts=())
                return SolvedTable(table, mapped, self.results, has_rows=False)
        return None

    def layered(self, table: SolvedTable) -> list[SolvedVariant]:
        """The last layers of further variants of a board, which are answered from their layers."""
        match = table.match.answered_by.match if table.match.answered_by else ""
        name = f"{table.table.game}_{match}"
        if match == table.table.match or name not in self or not self[name].variants[0].game.described:
            return []
        last = [v for v in self[name].variants if v.game.layer == [*v.game.rules.layers][-1]]
        return [v for v in last if not table.find({n: v.parameters[n] for n in table.parameters})]

    def __contains__(self, name: object) -> bool:
        return name in self._digests

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)

    def close(self) -> None:
        """Release the files."""
        self._mapped.clear()
        self._solved.clear()
