"""A position in, ranked actions out: the catalogue as Python functions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from dicebase.another import ANSWER, answer, answer_by_another, ranked
from dicebase.errors import DamagedFileError, DicebaseError, MissingStateError, MissingTableError, nearest
from dicebase.find import Table, find_table
from dicebase.position import read_position
from dicebase.rolls import DICE, ROLL, rolled_actions_query, takes_rolls, why_no_roll

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
        self._known_columns: dict[str, dict[str, str]] = {}

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
        names = list(self._variants) if table is None else [table]
        return [row | {"parameters": dict(row["parameters"])} for name in names for row in self._variants[name]]

    def lookup(self, table: str, **position: Any) -> dict[str, Any]:
        """All legal actions at a position, best first.

        `position` gives every state column and any parameters; other parameters are those of the paper's variant.
        Where dice are kept, `roll` may take the place of `dice`: what to keep is ranked then. Where totals never fall,
        a target that is not solved is answered by a larger one.
        Returns {table, parameters, state, value, unit, actions: [{action, value, regret, probability, optimal}]}; an
        action that is optimal only within the error bound, a tie that is not proved, has `undecided: True` as well.
        Where actions are bare numbers `action_unit` says of what, such as dice.
        Raises MissingTableError, or MissingStateError where nobody decides anything at this position; a value of the
        wrong type or out of range is a ConfigurationError.
        """
        found = self._table(table)
        variant, state = read_position(found, self._columns(found), position)
        if not (certified := self._certified(found, variant)):
            return answer_by_another(self, found, variant, state)
        if (ranking := self._ranking(found, variant, state)) is None:
            game = found.build(variant, json.loads(certified["definitions"]))
            raise MissingStateError(self._why_missing(found, game, state, variant | state))
        # The unit of a game is that of its decisions; other tables list something else than the value of the game.
        unit = certified["unit"] if found.match_class.decides else found.match_class.unit
        return answer(found, variant, state, unit, *ranking)

    def get(self, table: str, default: Any = None, **position: Any) -> Any:
        """`lookup`, or `default` where the table or the state is missing."""
        try:
            return self.lookup(table, **position)
        except (MissingTableError, MissingStateError):
            return default

    def lookup_many(self, table: str, frame: Any) -> Any:
        """Answer many positions: a frame (Arrow, pandas or Polars) with a column for each state variable and any
        parameter in, the same rows in the same order as an Arrow table with `value`, `action` and `margin` out.
        Positions the table does not have, and variants that are not solved, are answered by NULL. Raises
        ConfigurationError for a column that is missing, unknown or of the wrong type, MissingTableError where no
        variant has the defaults of the parameters left out.
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
        if name not in self._variants:
            raise MissingTableError(f"{self.path.parent}: no table '{name}'{nearest(name, self._variants)}")
        try:
            return find_table(name)
        except MissingTableError as error:
            where = "name the folder of their file in DICEBASE_GAMES"
            raise MissingTableError(f"{name}: solved, but its rules are not found; {where}") from error

    def _columns(self, table: Table) -> dict[str, str]:
        """The parameter and state columns of a table with their SQL types, in order."""
        if table.name not in self._known_columns:
            columns = dict(self._rows(f"SELECT column_name, column_type FROM (DESCRIBE {table.name})"))
            keys = list(columns)[: list(columns).index(table.match_class.value_name)]
            self._known_columns[table.name] = {name: columns[name] for name in keys}
        return self._known_columns[table.name]

    @cached_property
    def _variants(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of the view `tables`, parameters as a dict, by name. Nothing changes them while the file is open."""
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self._dicts("SELECT * FROM tables"):
            found.setdefault(row["name"], []).append(row | {"parameters": json.loads(row["parameters"])})
        return found

    def _certified(self, table: Table, variant: Mapping[str, Any]) -> dict[str, Any] | None:
        """The row of a variant in the view `tables`, if it is solved."""
        return next((row for row in self._variants[table.name] if row["parameters"] == variant), None)

    def _not_solved(self, table: Table, variant: Mapping[str, Any]) -> str:
        """The message that says which values exist, by parameter."""
        solved = [row["parameters"] for row in self._variants[table.name]]
        texts = []
        for name in variant:
            values = sorted({parameters[name] for parameters in solved})
            shown = [*map(str, values[:12]), *(["..."] if len(values) > 12 else [])]
            texts.append(f"{name}: {' '.join(shown)}")
        return (
            f"{self.path.parent}: {table.name} is not solved for {_words(variant)}; "
            f"solved are {', '.join(texts)} (not all combinations need be)"
        )

    def _ranking(self, table: Table, variant: Mapping, state: Mapping) -> tuple[float, list[dict]] | None:
        """The value of a position and its actions, best first; None if the table does not have it."""
        given = {name: f"${number}" for number, name in enumerate((*variant, *state), start=1)}
        where = " AND ".join(f'"{name}" = {place}' for name, place in given.items())
        values = [*variant.values(), *state.values()]
        if not table.match_class.decides:
            found = self._rows(f'SELECT "{table.match_class.value_name}" FROM {table.name} WHERE {where}', values)
            return (found[0][0], []) if found else None
        rolled = self._is_rolled(table, state)
        source = f"({rolled_actions_query(table, given)})" if rolled else f"{table.name}_actions WHERE {where}"
        rows = self._dicts(f"SELECT * FROM {source} ORDER BY optimal DESC, probability DESC, regret, action", values)
        if not rows:
            return None
        value = min((row for row in rows if row["optimal"]), key=lambda row: row["regret"])["q_value"]
        return value, [ranked(*(row[name] for name in ANSWER)) for row in rows]

    def _is_rolled(self, table: Table, state: Mapping[str, Any]) -> bool:
        """Whether a position is a roll from which the player keeps dice, and not what the table lists."""
        return ROLL in state and takes_rolls(table, self._columns(table))

    def _why_missing(self, table: Table, game: Any, state: Mapping, there: Mapping[str, Any] | None = None) -> str:
        """Why nobody decides anything at a position; `there` is where it would be stored, parameters and state."""
        what = "decision" if table.match_class.decides else "row"
        place = f"{table.name}: no {what} at {_words(state)}"
        if not self._is_rolled(table, state):
            return f"{place}: {game.why_missing(tuple(state.values()))}"
        before = {name: value for name, value in (there or {}).items() if name != ROLL}
        where = " AND ".join(f'"{name}" = ?' for name in before) or "false"
        query = f"SELECT DISTINCT {DICE} FROM data.{table.name} WHERE {where} ORDER BY {DICE}"
        possible = [dice for (dice,) in self._rows(query, [*before.values()])]
        return f"{place}: {why_no_roll(game, tuple(state.values()), possible)}"


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{k}={v}" for k, v in values.items())
