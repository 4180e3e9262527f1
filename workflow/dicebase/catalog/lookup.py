"""The Python interface: `Catalog` looks up positions, runs SQL and describes tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dicebase.catalog.ask.question import POSITION
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
"""Rows that `stream` fetches at a time."""


def check_text(query: object) -> None:
    """Raise ConfigurationError unless the query is valid Unicode text."""
    try:
        str.encode(query)
    except (TypeError, UnicodeEncodeError) as error:
        raise ConfigurationError(f"SQL: a query must be Unicode text, not {shown(query)}") from error


class Catalog:
    """The solved tables of a results folder. Use it as a context manager, or call `close`. Nothing here changes the
    tables; only `unrestricted` SQL can reach other files or the network."""

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

        memory_limit : the memory that SQL may use; lookups need little.
        untrusted : for SQL that you do not trust: it may only read the tables, and runs in a separate process within
            `limits` on time, memory and rows (sandbox.py). Lookups work as usual.
        unrestricted : let SQL read and write other files and load extensions.

        Raises MissingTableError if the folder has no tables, DamagedFileError if they cannot be read, and
        ConfigurationError for read_only=False.
        """
        if not read_only:
            raise ConfigurationError(
                "read_only=False: tables are read-only; build them with 'make' or 'dicebase solve'"
            )
        self.results = Path(results)
        self.path = self.results.absolute() / CATALOG  # DuckDB may take a relative path for a URL
        self.solved_tables = SolvedTables(self.results)
        self._memory_limit, self._limits = memory_limit, limits
        self.untrusted, self.unrestricted = untrusted, unrestricted
        if not self.path.is_file():  # SQL needs only the database, lookups only the mapped rows
            len(self.solved_tables)

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the files; later calls raise DicebaseError."""
        self.solved_tables.close()
        for name in {"connection", "sandbox"} & self.__dict__.keys():
            self.__dict__.pop(name).close()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The read-only DuckDB connection to the catalogue. Raises MissingTableError if the database is missing,
        DamagedFileError if it cannot be opened, and RefusedError if the catalogue is `untrusted`."""
        self.solved_tables.check_open()
        if self.untrusted:
            raise RefusedError("an untrusted catalogue has no connection; use sql or rows")
        import duckdb

        from dicebase.catalog.sandbox import LOCKED, lock

        if not self.path.is_file():
            raise MissingTableError(f"{self.results}: has no {CATALOG}; build it with 'make'")
        try:
            # By default DuckDB takes an unknown table's name for a Python variable in scope.
            config = {"memory_limit": self._memory_limit, "threads": 2, "python_enable_replacements": False}
            config |= {} if self.unrestricted else LOCKED
            connection = duckdb.connect(str(self.path), read_only=True, config=config)
            if not self.unrestricted:
                lock(connection, self.path)
            return connection
        except duckdb.Error as error:
            what = f"{str(error).splitlines()[0]}; if it is damaged, delete it and build it again"
            raise DamagedFileError(f"{self.path}: cannot be read: {what}") from error

    @cached_property
    def sandbox(self) -> Sandbox:
        """The process that runs untrusted SQL."""
        self.solved_tables.check_open()
        from dicebase.catalog.sandbox.sandbox import Sandbox

        return Sandbox(self.path, self._limits)

    def review(self, path: str | Path) -> Json:
        """Return the loss of each decision and the luck of each roll in the recorded game at `path` (docs/use/review.md
        describes the file). Raises ConfigurationError with the line number for a move or roll that is impossible."""
        from dicebase.catalog.review.review import review

        return review(self.solved_tables, path).as_dict()

    def sql(self, query: str, parameters: object = None) -> duckdb.DuckDBPyRelation | Result:
        """Run a query over the views; `parameters` fill `?` and `$name`. Return a relation, or a Result if `untrusted`.
        Raises DicebaseError with the engine's message, RefusedError (not permitted) or LimitError (over a limit)."""
        check_text(query)
        if self.untrusted:
            return self.sandbox.run(query, parameters)
        return self._run(query, lambda: self.connection.sql(query, params=parameters))

    def rows(self, query: str, parameters: Sequence = ()) -> tuple[list[str], list[tuple]]:
        """Run a query; return (column names, rows). Raises as `sql` does."""
        names, parts = self.stream(query, parameters)
        return names, list(chain.from_iterable(parts))

    def stream(self, query: str, parameters: Sequence = ()) -> tuple[list[str], Iterator[list[tuple]]]:
        """Run a query; return (column names, iterator of lists of rows), for results larger than memory. Other queries
        may run before the iterator ends."""
        check_text(query)
        if self.untrusted:
            answer = self.sandbox.run(query, parameters)
            return answer.columns, iter([answer.rows])
        cursor = self._run(query, lambda: self.connection.cursor().execute(query, parameters))
        parts = iter(lambda: self._run(None, lambda: cursor.fetchmany(AT_ONCE)), [])
        return [d[0] for d in cursor.description or ()], parts

    def _run(self, query: str | None, ask: Callable[[], Any]) -> Any:
        """Return what `ask` returns, after checking the query unless it is None."""
        import duckdb

        from dicebase.catalog.sql.sql_errors import check_one, explained

        try:
            if query is not None:
                check_one(self.connection, query, self.unrestricted)
            return ask()
        except (duckdb.Error, RuntimeError, TypeError) as error:  # wrong parameters raise the last two
            raise explained(error, self.connection, self.path) from error

    def tables(self, name: str | None = None) -> list[Json]:
        """Return one dict per solved variant, with its parameters, value, unit, error bound and more, for one table or
        all. Raises MissingTableError for a table that is not there."""
        names = self.solved_tables if name is None else [name]
        return [dict(row) for n in names for row in self.solved_tables.mapped(n).variants]

    def describe(self, name: str, /, **given: str) -> Json:
        """Describe a table: {table, title, rules, citation, unit, value_is, decides, parameters: [{name, kind, default,
        description, allowed, solved}], columns: [{name, kind, description, unit, stored}], roll, example}.

        `rules` is a list of paragraphs. `solved` lists the solved values of a parameter; `stored` gives the least and
        greatest number in a column, or at most 1000 of its texts. A parameter with named rule sets also has
        `definitions` and `cards` (the same in words); one with choices has `words`. `roll` is not empty if a roll may
        replace the dice. `example` is a position that has an answer. If `name` is a game, describe the game and its
        rule sets, or only the `given` ones. Raises MissingTableError.
        """
        from dicebase.catalog.description import describe, describe_game, solved_definitions

        if is_game(name):
            return describe_game(name, given, solved_definitions(self.solved_tables, name))
        if given:
            raise ConfigurationError(f"{name}: a table takes no further words; only a game has names to describe")
        return describe(self.solved(name))

    def lookup(self, table: str, position: str | None = None, /, **given: Any) -> Json:
        """Return all legal actions of a position, best first.

        Give every state column by name or the position as one text, with any parameters; omitted parameters take their
        defaults. In games where the player keeps dice, give `roll` instead of `dice` to rank the ways to keep. If
        totals never fall, a larger solved target answers for a smaller one. Example:
        `db.lookup("pig_duel", me=30, opponent=50, turn_total=20)`, or `db.lookup("pig_duel", "30 50 20")`.

        Returns {version, table, parameters, state, position (the state as one text), value, unit, actions: [{action,
        value, regret, probability, optimal}], advice}; schemas/answer.schema.json describes each. Values and regrets
        are the mover's, in `unit`. An action in an unproved tie has `undecided`; a position past the stored totals has
        `beyond` and `note` (the theorem); `action_unit` says what numbered actions count; `values` has the other
        columns if nothing is decided.

        Raises MissingTableError, MissingStateError if there is nothing to decide at this position, and
        ConfigurationError for a value of the wrong type or out of range.
        """
        return self.solved_tables.look_up(table, given | ({} if position is None else {POSITION: position})).as_dict()

    def get(self, table: str, position: str | None = None, /, default: Any = None, **given: Any) -> Any:
        """Return `lookup(table, position, **given)`, or `default` if the table or the position is missing."""
        try:
            return self.lookup(table, position, **given)
        except (MissingTableError, MissingStateError):
            return default

    def lookup_many(self, table: str, frame: object, actions: bool = False) -> pa.Table:
        """Answer a frame of positions, one per row, as an Arrow table in the same order.

        frame : a table of Arrow, pandas or Polars, a dict of columns, a list of dicts, or a NumPy array with named
            fields. It has each state column, or texts of positions in the column `position`, and any parameters; other
            columns pass through.
        actions : return one row per action instead, best first, with `row` (the number of the position, from 0),
            `action`, `q_value`, `regret`, `probability`, `optimal` and `undecided`; as slow as single lookups.

        The result adds `value` (the mover's), `action` (the best), `margin` (the regret of the second-best) and
        `status`: `answered`, `beyond` (past the stored totals, by the theorem) or, with NULL answers, `bust` (the roll
        loses the turn), `unreachable` or `not solved`. Raises ConfigurationError for a column that is missing, misspelt
        or of the wrong type, and MissingTableError if no solved variant has the defaults of the omitted parameters.
        """
        from dicebase.catalog.ask.many_positions import all_actions, as_table, lookup_many

        self.solved(table)  # report a missing table before a wrong frame
        return (all_actions if actions else lookup_many)(self.solved_tables, table, as_table(frame, table))[0]

    def solved(self, name: str) -> SolvedTable:
        """Return a table with its rules and rows. Raises MissingTableError, which suggests the nearest name, if the
        table or its rules are missing."""
        return self.solved_tables[name]

    def __contains__(self, name: object) -> bool:
        return name in self.solved_tables
