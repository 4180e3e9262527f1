"""Tables as they are solved: their variants, and the messages that say what is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from types import SimpleNamespace

from dicebase.catalog.ask.answer import Position
from dicebase.catalog.ask.solved_variant import SolvedVariant
from dicebase.catalog.rows.row_arrays import Mapped, mapped_tables
from dicebase.tables.follow.rolls import ROLL, takes_rolls, why_no_roll
from dicebase.tables.layout import MAPPED
from dicebase.tables.names import Table, Variant, check_name, find_table, is_table
from dicebase.vocabulary import DamagedFileError, DicebaseError, Listing, MissingTableError, nearest_table, some, words

KINDS = {int: "INTEGER", str: "VARCHAR"}


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
        self._build = lru_cache(64)(self._build)  # building reads the rules again

    def find(self, variant: Variant) -> SolvedVariant | None:
        """A variant, if it is solved."""
        return self._by_point.get(tuple(variant.values()))

    def unsolved(self, variant: Variant, by: SolvedVariant | None) -> Listing:
        """What a variant lists that is not solved, for which names stand as in a solved one."""
        return self._build(tuple(variant.items()), by)

    def _build(self, variant: tuple[tuple[str, int | str], ...], by: SolvedVariant | None) -> Listing:
        return self.table.build(dict(variant), by.definitions if by else {})

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
        self._closed = False

    @cached_property
    def _digests(self) -> dict[str, str]:
        """The digest of each table's contents; raises MissingTableError if there are no tables."""
        self.check_open()
        return mapped_tables(self.results)

    def check_open(self) -> None:
        """Raise DicebaseError after `close`."""
        if self._closed:
            raise DicebaseError(f"{self.results}: is closed; open it again with dicebase.open")

    def __getitem__(self, name: str) -> SolvedTable:
        """Raises MissingTableError, with the nearest name, where it is not there, or where its rules are not found."""
        check_name(name)
        if name not in self._solved:
            if name not in self._digests and (table := self._in_layers(name)):
                return self._solved.setdefault(name, table)
            mapped = self.mapped(name)
            try:
                table = find_table(name)
            except MissingTableError as error:
                why = f": {error}" if error.__cause__ else "; name the folder of their file in DICEBASE_GAMES"
                raise MissingTableError(f"{name}: solved, but its rules are not found{why}") from error
            then, now = mapped.variants[0]["parameters"], [p.name for p in table.parameters]
            if [*then] != now:
                changed = f"its parameters were {', '.join(then)} and are {', '.join(now)}"
                raise MissingTableError(f"{name}: solved by other rules, {changed}; solve it again")
            self._solved[name] = SolvedTable(table, mapped, self.results)
        return self._solved[name]

    def mapped(self, name: str) -> Mapped:
        """The rows of a table; raises MissingTableError where it is not there."""
        check_name(name)
        if name not in self._mapped:
            if name not in self._digests:
                raise MissingTableError(f"{self.results}: no table '{name}'{self._hint(name)}")
            try:
                self._mapped[name] = Mapped(self.results / MAPPED / name, self._digests[name])
            except DamagedFileError:
                now = mapped_tables(self.results)
                if now == self._digests:
                    raise
                self._digests = now  # another build has taken the place of the one that was read
                return self.mapped(name)
        return self._mapped[name]

    def _hint(self, name: str) -> str:
        """Say what the name of no solved table may be: a rule set, a table to be solved, a game, or a misspelt name."""
        found: dict[str, list[str]] = {}  # the tables that have variants of this name, by game and parameter
        with suppress(DicebaseError):
            rows = ((table, row["parameters"]) for table in self for row in self.mapped(table).variants)
            for table, parameter in dict.fromkeys((t, p) for t, given in rows for p, x in given.items() if x == name):
                found.setdefault(f"{find_table(table).game}_* {parameter}={name}", []).append(table)
        if found:
            said = (tables[0] + said.partition("_*")[2] if len(tables) == 1 else said for said, tables in found.items())
            return f"; it is in {', '.join(said)}"
        if is_table(name):
            return f"; it is not solved: 'dicebase solve {name} -o DIR' solves it"
        return nearest_table(name, self)

    def _in_layers(self, name: str) -> SolvedTable | None:
        """A board that is solved by its layers alone, without rows; None where it is not."""
        with suppress(MissingTableError):
            table = find_table(name)
            of = table.match_class.answered_by
            layers = self[f"{table.game}_{of.match}"] if of and of.match != table.match else None
            if layers and layers.match.numbered:
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
        if match == table.table.match or name not in self or not self[name].match.numbered:
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
        self._closed = True
        self._mapped.clear()
        self._solved.clear()
        self.__dict__.pop("_digests", None)
