"""A position in, ranked actions out: the catalogue as Python functions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from dicebase.another import ANSWER, answer, answer_by_another, ranked
from dicebase.errors import (
    ConfigurationError,
    DamagedFileError,
    DicebaseError,
    MissingStateError,
    MissingTableError,
    nearest,
)
from dicebase.find import Table, find_table

NAME = "dicebase.duckdb"


def open_catalog(results: str | Path = "results", memory_limit: str = "1GB") -> Catalog:
    """Open results/dicebase.duckdb for reading; raises MissingTableError where there is none, DamagedFileError
    where it cannot be read."""
    return Catalog(results, memory_limit)


class Catalog:
    """The tables of a results folder; a context manager. Nothing here can change them."""

    def __init__(self, results: str | Path, memory_limit: str = "1GB") -> None:
        self.path = Path(results) / NAME
        if not self.path.is_file():
            what = "does not exist" if not Path(results).exists() else f"has no {NAME}"
            raise MissingTableError(f"{results}: {what}; build it with 'make', or name another folder with --results")
        try:
            # Without replacements a query cannot mistake a variable of this module for a table.
            config = {"memory_limit": memory_limit, "threads": 2, "python_enable_replacements": False}
            self.connection = duckdb.connect(str(self.path), read_only=True, config=config)
        except duckdb.Error as error:
            raise self._damaged(error) from error

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self.connection.close()

    def sql(self, query: str, parameters: object = None) -> duckdb.DuckDBPyRelation:
        """Any query over the views, as a DuckDB relation; raises DicebaseError with the engine's message."""
        try:
            return self.connection.sql(query, params=parameters)
        except duckdb.Error as error:
            raise DicebaseError(f"SQL: {' '.join(str(error).split())}") from error

    def rows(self, query: str) -> tuple[list[str], list[tuple]]:
        """The column names and rows of a query; raises DicebaseError with the engine's message."""
        try:
            cursor = self.connection.execute(query)
            if not (cursor and cursor.description):
                raise DicebaseError("SQL: the query is empty")
            return [d[0] for d in cursor.description], cursor.fetchall()
        except duckdb.Error as error:
            raise DicebaseError(f"SQL: {' '.join(str(error).split())}") from error

    def tables(self, table: str | None = None) -> list[dict[str, Any]]:
        """One dict a variant: name, parameters (a dict), states, value, unit, error_bound, exact, solver, ..."""
        if table is not None:
            self._table(table)
        rows = self._dicts("SELECT * FROM tables WHERE name = coalesce(?, name)", [table])
        return [row | {"parameters": json.loads(row["parameters"])} for row in rows]

    def lookup(self, table: str, **position: Any) -> dict[str, Any]:
        """All legal actions at a position, best first.

        `position` gives every state column and any parameters; other parameters are those of the paper's variant.
        Returns {table, parameters, state, value, unit, actions: [{action, value, regret, probability, optimal}]}; an
        action that is optimal only within the error bound, a tie that is not proved, has `undecided: True` as well.
        Raises MissingTableError, or MissingStateError where nobody decides anything at this position; a value of the
        wrong type or out of range is a ConfigurationError.
        """
        found, variant, state = self._position(table, position)
        try:
            certified = self._variant_row(found, variant)
        except MissingTableError:
            if not found.match_class.answered_by:
                raise
            return answer_by_another(self, found, variant, state)
        decides = found.match_class.decides
        rows = self._actions(found, variant, state) if decides else []
        if decides and rows:
            value = min((row for row in rows if row["optimal"]), key=lambda row: row["regret"])["q_value"]
        elif (value := None if decides else self._value(found, variant, state)) is None:
            raise MissingStateError(self._why_missing(found, variant, state))
        actions = [ranked(*(row[name] for name in ANSWER)) for row in rows]
        # The unit of a game is that of its decisions; other tables list something else than the value of the game.
        unit = certified["unit"] if decides else found.match_class.unit
        return answer(found, variant, state, value, unit, actions)

    def get(self, table: str, default: Any = None, **position: Any) -> Any:
        """`lookup`, or `default` where the table or the state is missing."""
        try:
            return self.lookup(table, **position)
        except (MissingTableError, MissingStateError):
            return default

    def lookup_many(self, table: str, frame: Any) -> Any:
        """Answer many positions: a frame (Arrow, pandas or Polars) with a column for each state variable and any
        parameter in, the same rows in the same order as an Arrow table with `value`, `action` and `margin` out.
        Positions the table does not have are answered by NULL. Raises ConfigurationError for a column that is missing,
        unknown or of the wrong type, MissingTableError where no variant has the defaults of the parameters left out.
        """
        from dicebase.many import lookup_many

        return lookup_many(self, self._table(table), frame)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _rows(self, query: str, values: Sequence = ()) -> list[tuple]:
        """The rows of a query of ours, which only a damaged file can refuse."""
        return self._run(query, values).fetchall()

    def _dicts(self, query: str, values: Sequence = ()) -> list[dict[str, Any]]:
        cursor = self._run(query, values)
        names = [d[0] for d in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def _run(self, query: str, values: Sequence) -> duckdb.DuckDBPyConnection:
        try:
            return self.connection.execute(query, values)
        except duckdb.Error as error:
            raise self._damaged(error) from error

    def _damaged(self, error: duckdb.Error) -> DamagedFileError:
        return DamagedFileError(f"{self.path}: cannot be read: {str(error).splitlines()[0]}")

    def _table(self, name: str) -> Table:
        solved = [row[0] for row in self._rows("SELECT DISTINCT name FROM tables")]
        if name not in solved:
            raise MissingTableError(f"{self.path.parent}: no table '{name}'{nearest(name, solved)}")
        try:
            return find_table(name)
        except MissingTableError as error:
            where = "name the folder of their file in DICEBASE_GAMES"
            raise MissingTableError(f"{name}: solved, but its rules are not found; {where}") from error

    def _columns(self, table: Table) -> dict[str, str]:
        """The parameter and state columns of a table with their SQL types, in order."""
        columns = dict(self._rows(f"SELECT column_name, column_type FROM (DESCRIBE {table.name})"))
        return {name: columns[name] for name in list(columns)[: list(columns).index(table.match_class.value_name)]}

    def _check_columns(self, table: Table, schema: Mapping[str, str], given: Any) -> None:
        parameters = {p.name for p in table.parameters}
        for name in given:
            if name not in schema:
                raise ConfigurationError(
                    f"{table.name}: '{name}' is no parameter or state column{nearest(name, schema)}"
                )
        for name in schema:
            if name not in given and name not in parameters:
                needed = ", ".join(n for n in schema if n not in parameters)
                raise ConfigurationError(f"{table.name}: '{name}' is missing; a position needs {needed}")

    def _position(self, name: str, position: Mapping[str, Any]) -> tuple[Table, dict, dict]:
        table = self._table(name)
        schema = self._columns(table)
        self._check_columns(table, schema, position)
        given = {n: v for n, v in position.items() if n in {p.name for p in table.parameters}}
        # The catalogue knows which names were defined when it was built.
        definitions = {p.name: {str(given.get(p.name, p.default)): None} for p in table.parameters if p.defined}
        variant = table.variant(given, definitions, table.name)
        state = {n: _state_value(table.name, n, schema[n], position[n]) for n in schema if n not in variant}
        return table, variant, state

    def _variant_row(self, table: Table, variant: Mapping[str, Any]) -> dict[str, Any]:
        rows = self._dicts("SELECT * FROM tables WHERE name = ? AND parameters = ?", [table.name, json.dumps(variant)])
        if not rows:
            raise MissingTableError(self._not_solved(table, variant))
        return rows[0]

    def _not_solved(self, table: Table, variant: Mapping[str, Any]) -> str:
        """The message that says which values exist, by parameter."""
        solved = [
            json.loads(row[0]) for row in self._rows("SELECT parameters FROM tables WHERE name = ?", [table.name])
        ]
        texts = []
        for name in variant:
            values = sorted({parameters[name] for parameters in solved})
            shown = [*map(str, values[:12]), *(["..."] if len(values) > 12 else [])]
            texts.append(f"{name}: {' '.join(shown)}")
        return (
            f"{self.path.parent}: {table.name} is not solved for {_words(variant)}; "
            f"solved are {', '.join(texts)} (not all combinations need be)"
        )

    def _actions(self, table: Table, variant: Mapping, state: Mapping) -> list[dict[str, Any]]:
        where = " AND ".join(f'"{name}" = ?' for name in (*variant, *state))
        return self._dicts(
            f"SELECT * FROM {table.name}_actions WHERE {where} ORDER BY optimal DESC, probability DESC, regret, action",
            [*variant.values(), *state.values()],
        )

    def _value(self, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any]) -> float | None:
        """The value at a row of a table that lists no decisions."""
        where = " AND ".join(f'"{name}" = ?' for name in (*variant, *state))
        query = f'SELECT "{table.match_class.value_name}" FROM {table.name} WHERE {where}'
        found = self._rows(query, [*variant.values(), *state.values()])
        return found[0][0] if found else None

    def _why_missing(self, table: Table, variant: Mapping, state: Mapping) -> str:
        what = "decision" if table.match_class.decides else "row"
        place = f"{table.name}: no {what} at {_words(state)}"
        row = self._variant_row(table, variant)
        game = table.build(variant, json.loads(row["definitions"]))
        return f"{place}: {game.why_missing(tuple(state.values()))}"


def _state_value(table: str, name: str, kind: str, value: Any) -> int | str:
    if kind == "VARCHAR":
        text = str(value)
        # A roll is a roll in any order.
        return "".join(sorted(text)) if text.isdigit() else text
    try:
        number = int(str(value))
    except ValueError:
        raise ConfigurationError(f"{table}: {name}={value!r} is not a whole number") from None
    # The engine refuses numbers of more than 128 bits, and no column holds one of more than 32.
    return max(-(2**63), min(2**63, number))


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{k}={v}" for k, v in values.items())
