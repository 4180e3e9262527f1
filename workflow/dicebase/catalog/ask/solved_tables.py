"""The solved tables of a results folder by name, and the messages that say which tables are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace

from dicebase.catalog.ask.answer import Action, Answer
from dicebase.catalog.ask.question import position_text, read_position
from dicebase.catalog.ask.solved_table import SolvedTable, SolvedVariant
from dicebase.catalog.ask.sources import Source, sources_of
from dicebase.catalog.rows.row_arrays import Mapped, mapped_tables
from dicebase.families import family_of
from dicebase.tables.layout import MAPPED
from dicebase.tables.names import Table, check_name, find_table, is_table
from dicebase.vocabulary import DamagedFileError, DicebaseError, MissingStateError, MissingTableError, nearest_table

KINDS = {int: "INTEGER", str: "VARCHAR"}


class SolvedTables(Mapping[str, SolvedTable]):
    """The tables of a results folder by name. A table is opened on first use and does not change afterwards, even if
    another build replaces its files."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self._mapped: dict[str, Mapped] = {}
        self._solved: dict[str, SolvedTable] = {}
        self._sources: dict[str, list[Source]] = {}
        self._closed = False

    @cached_property
    def _digests(self) -> dict[str, str]:
        """{table: the digest of its contents}; raises MissingTableError if the folder has none."""
        self.check_open()
        return mapped_tables(self.results)

    def check_open(self) -> None:
        """Raise DicebaseError after `close`."""
        if self._closed:
            raise DicebaseError(f"{self.results}: is closed; open it again with dicebase.open")

    def __getitem__(self, name: str) -> SolvedTable:
        """Raises MissingTableError, which suggests the nearest name, if the table or its rules are missing."""
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
                changed = f"its parameters were {', '.join(then)} and now are {', '.join(now)}"
                raise MissingTableError(f"{name}: solved with different rules, {changed}; solve it again")
            self._solved[name] = SolvedTable(table, mapped, self.results)
            if asked := table.match_class.asked_as:
                self._solved[name] = self._asked(replace(table, match_class=asked), self._solved[name])
        return self._solved[name]

    def sources(self, name: str) -> list[Source]:
        """Return the sources of answers of a table, in the order to ask them."""
        if name not in self._sources:
            self._sources[name] = sources_of(self[name], self)
        return self._sources[name]

    def look_up(self, name: str, position: Mapping[str, object]) -> Answer:
        """Return all legal actions of a position; see Catalog.lookup."""
        table = self[name]
        variant, state = read_position(table, position)
        for source in self.sources(name):
            if ranking := source.one(variant, state):
                game, (value, actions, values, beyond) = source.game(variant), ranking
                rules, family = game.rules, family_of(game.rules)
                actions = tuple(Action(*a[:-1], family.odds(rules, state, a.action)) for a in actions)
                unit, counted = game.value.unit, table.match.action_unit
                text = position_text(table, variant, state)
                return Answer(name, variant, state, unit, value, actions, values, counted, beyond, text)
        raise MissingStateError(table.why_missing(table.find(variant).game, state, variant | state))

    def mapped(self, name: str) -> Mapped:
        """Return the mapped rows of a table; raises MissingTableError if it is missing."""
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
                self._digests = now  # another build has replaced the files
                return self.mapped(name)
        return self._mapped[name]

    def _hint(self, name: str) -> str:
        """Suggest what an unknown name may mean: a rule set, a table not yet solved, a game or a misspelt table."""
        found: dict[str, list[str]] = {}  # by game and parameter, tables with a variant of this name
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
        """Return a board game's table if only its layers are solved, otherwise None."""
        with suppress(MissingTableError):
            table = find_table(name)
            of = table.match_class.answered_by
            layers = self[f"{table.game}_{of.match}"] if of and of.match != table.match else None
            if layers and layers.match.numbered:
                return self._asked(table, layers)
        return None

    def _asked(self, table: Table, layers: SolvedTable) -> SolvedTable:
        """Return the table of questions about positions after the throw, which values by number answer."""
        names = [p.name for p in table.parameters]
        rows = [v.row | {"parameters": {n: v.parameters[n] for n in names}} for v in layers.variants]
        columns = table.build(rows[0]["parameters"], layers.variants[0].definitions).columns
        kinds = {c.name: KINDS[c.kind] for c in (*table.parameters, *columns)}
        mapped = SimpleNamespace(columns=kinds, variants=rows, parts={}, starts=(), certificates=())
        return SolvedTable(table, mapped, self.results, answered_from=layers)

    def layered(self, table: SolvedTable) -> list[SolvedVariant]:
        """Return the last layer of each variant of a board game that is solved only by number."""
        match = table.match.answered_by.match if table.match.answered_by else ""
        name = f"{table.table.game}_{match}"
        layers = table.answered_from or (self[name] if match != table.table.match and name in self else None)
        if not layers or not layers.match.numbered:
            return []
        last = [v for v in layers.variants if v.game.layer == [*v.game.rules.layers][-1]]
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
        self._sources.clear()
        self.__dict__.pop("_digests", None)
