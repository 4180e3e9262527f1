"""A position in, ranked actions out: the catalogue as Python functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dicebase.catalog.ask.solved_table import SolvedTable
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.tables.layout import CATALOG
from dicebase.tables.names import is_game
from dicebase.vocabulary import (
    ConfigurationError,
    DamagedFileError,
    Json,
    MissingStateError,
    MissingTableError,
    RefusedError,
    shown,
)

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from dicebase.catalog.sandbox.sandbox import Limits, Result, Sandbox


AT_ONCE = 10_000
"""Rows of a query that are fetched at a time."""


def check_text(query: object) -> None:
    """Raise ConfigurationError for a query that is no text; the engine knows no other."""
    try:
        str.encode(query)
    except (TypeError, UnicodeEncodeError) as error:
        raise ConfigurationError(f"SQL: a query is a text of Unicode, not {shown(query)}") from error


class Catalog:
    """The tables of a results folder; a context manager. Nothing here can change them, or fetch anything, but SQL that
    is `unrestricted`."""

    def __init__(
        self,
        results: str | Path = "results",
        memory_limit: str = "1GB",
        read_only: bool = True,
        untrusted: bool = False,
        unrestricted: bool = False,
        limits: Limits | None = None,
    ) -> None:
        """Open the tables.

        memory_limit : of SQL; lookups need little.
        untrusted : run SQL as a stranger's: queries over the tables alone, in a process of its own, within `limits`
            (sandbox.py), which say how much time, memory and rows one may use. Lookups stay what they are.
        unrestricted : SQL may read and write other files, and load extensions.

        Raises MissingTableError where there are no tables, DamagedFileError where they cannot be read, and
        ConfigurationError for read_only=False: nothing writes through a catalogue.
        """
        if not read_only:
            raise ConfigurationError(
                "read_only=False: tables are only read; build them with 'make' or 'dicebase solve'"
            )
        self.results = Path(results)
        self.path = self.results.absolute() / CATALOG  # or DuckDB may take it for the name of a service
        self.solved_tables = SolvedTables(self.results)
        self._memory_limit, self._limits = memory_limit, limits
        self.untrusted, self.unrestricted = untrusted, unrestricted
        if not self.path.is_file():  # SQL needs the database alone, lookups the mapped rows alone
            len(self.solved_tables)

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the files; later questions raise DicebaseError."""
        self.solved_tables.close()
        for name in {"connection", "sandbox"} & self.__dict__.keys():
            self.__dict__.pop(name).close()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The catalogue's database, read-only; raises DamagedFileError where it cannot be opened, RefusedError where
        SQL is a stranger's."""
        self.solved_tables.check_open()
        if self.untrusted:
            raise RefusedError("an untrusted catalogue gives no connection; use sql or rows")
        import duckdb

        from dicebase.catalog.sandbox import LOCKED

        if not self.path.is_file():
            raise MissingTableError(f"{self.results}: has no {CATALOG}; build it with 'make'")
        try:
            # Without replacements a query cannot mistake a variable of this module for a table.
            config = {"memory_limit": self._memory_limit, "threads": 2, "python_enable_replacements": False}
            config |= {} if self.unrestricted else LOCKED | {"lock_configuration": True}
            return duckdb.connect(str(self.path), read_only=True, config=config)
        except duckdb.Error as error:
            what = f"{str(error).splitlines()[0]}; if it is damaged, delete it and build it again"
            raise DamagedFileError(f"{self.path}: cannot be read: {what}") from error

    @cached_property
    def sandbox(self) -> Sandbox:
        """Where a stranger's SQL runs."""
        self.solved_tables.check_open()
        from dicebase.catalog.sandbox.sandbox import Sandbox

        return Sandbox(self.path, self._limits)

    def review(self, path: str | Path) -> Json:
        """A recorded game read back: the loss of each decision, the luck of each roll. Raises ConfigurationError, which
        names the line, for what cannot have happened; see catalog/review/review.py."""
        from dicebase.catalog.review.review import review

        return review(self.solved_tables, path).as_dict()

    def sql(self, query: str, parameters: object = None) -> duckdb.DuckDBPyRelation | Result:
        """Any query over the views, as a DuckDB relation, or, of a stranger, as a Result with columns, types and rows;
        raises DicebaseError with the engine's message, RefusedError and LimitError where it may not or cannot run."""
        check_text(query)
        if self.untrusted:
            return self.sandbox.run(query, parameters)
        return self._run(query, lambda: self.connection.sql(query, params=parameters))

    def rows(self, query: str, parameters: Sequence = ()) -> tuple[list[str], list[tuple]]:
        """(column names, rows) of any query; raises as `sql` does."""
        names, parts = self.stream(query, parameters)
        return names, list(chain.from_iterable(parts))

    def stream(self, query: str, parameters: Sequence = ()) -> tuple[list[str], Iterator[list[tuple]]]:
        """The same, the rows part by part as the engine finds them: they may be more than memory holds. Other queries
        may be asked before the last part."""
        check_text(query)
        if self.untrusted:
            answer = self.sandbox.run(query, parameters)
            return answer.columns, iter([answer.rows])
        cursor = self._run(query, lambda: self.connection.cursor().execute(query, parameters))
        parts = iter(lambda: self._run(None, lambda: cursor.fetchmany(AT_ONCE)), [])
        return [d[0] for d in cursor.description or ()], parts

    def _run(self, query: str | None, ask: Callable[[], Any]) -> Any:
        """Return what the engine answers, after a look at the query unless it is None."""
        import duckdb

        from dicebase.catalog.sql.sql_errors import check_one, explained

        try:
            if query is not None:
                check_one(self.connection, query)
            return ask()
        except (duckdb.Error, RuntimeError, TypeError) as error:  # the latter two of parameters that are none
            raise explained(error, self.connection, self.path) from error

    def tables(self, name: str | None = None) -> list[Json]:
        """What is solved, one dict a variant, its parameters as a dict; of one table or all. Raises
        MissingTableError for a table that is not there."""
        names = self.solved_tables if name is None else [name]
        return [dict(row) for n in names for row in self.solved_tables.mapped(n).variants]

    def describe(self, name: str, /, **given: str) -> Json:
        """Describe a table: {table, title, rules, citation, unit, value_is, decides, parameters: [{name, kind, default,
        description, allowed, solved}], columns: [{name, kind, description, unit, stored}], roll, example}.

        `rules` are paragraphs; `solved` are all values of a parameter; `stored` is the least and the greatest number of
        a column, or at most 1000 of its texts. A parameter that takes names has `definitions`, and `cards` with their
        lines; one of choices has `words`. `roll` says that a roll may be given in place of dice. `example` is a
        position that has an answer. A game, and `given` names of it, are described by describe_game. Raises
        MissingTableError.
        """
        from dicebase.catalog.description import describe, describe_game, solved_definitions

        if is_game(name):
            return describe_game(name, given, solved_definitions(self.solved_tables, name))
        if given:
            raise ConfigurationError(f"{name}: of a table give nothing else; names are described of a game")
        return describe(self.solved(name))

    def lookup(self, table: str, /, **position: Any) -> Json:
        """Return all legal actions of a position, best first.

        `position` gives every state column and any parameters; the others default to the paper's variant. Where dice
        are kept, `roll` may take the place of `dice`, and the ways to keep dice are ranked. If totals never fall, a
        larger target answers for one that is not solved.

        Returns {version, table, parameters, state, value, unit, actions: [{action, value, regret, probability,
        optimal}], advice} as schemas/answer.schema.json describes it. An action of a tie that is not proved has
        `undecided`; an answer past the stored totals of a turn has `beyond` and, for the theorem, `note`; `action_unit`
        says what actions that are bare numbers count; a table without decisions has its other columns in `values`.

        Raises MissingTableError, MissingStateError if nobody decides anything at this position, and ConfigurationError
        for a value of the wrong type or out of range.
        """
        return self.solved_tables.look_up(table, position).as_dict()

    def get(self, table: str, /, default: Any = None, **position: Any) -> Any:
        """`lookup`, or `default` where the table or the state is missing."""
        try:
            return self.lookup(table, **position)
        except (MissingTableError, MissingStateError):
            return default

    def lookup_many(self, table: str, frame: object, actions: bool = False) -> pa.Table:
        """Answer a frame of positions (Arrow, pandas or Polars), a row each, in the same order.

        The frame has a column for each state column and any parameter; other columns pass through. The Arrow table
        returned adds `value`, `action`, `margin` and `status`: `answered`, `beyond` (past the stored totals, by the
        theorem) or, with NULL for an answer, `bust` (the roll loses the turn), `unreachable` (no play comes there) or
        `not solved`. Raises ConfigurationError for a column that is missing, unknown or of the wrong type, and
        MissingTableError if no variant has the defaults of the parameters left out.

        actions : return a row for each action instead, best first, with `row`, the number of the position, and
            `action`, `q_value`, `regret`, `probability`, `optimal`, `undecided`; that takes as long as so many lookups.
        """
        from dicebase.catalog.ask.many_positions import all_actions, as_table, lookup_many

        self.solved(table)  # a missing table is the first thing to say
        return (all_actions if actions else lookup_many)(self.solved_tables, table, as_table(frame, table))[0]

    def solved(self, name: str) -> SolvedTable:
        """A table with its rules and rows; raises MissingTableError, with the nearest name, where it is not there, or
        where its rules are not found."""
        return self.solved_tables[name]

    def __contains__(self, name: object) -> bool:
        return name in self.solved_tables
