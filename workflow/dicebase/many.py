"""Many positions at once: a frame in, the same rows in the same order as an Arrow table out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import duckdb

from dicebase.derived import states_query
from dicebase.errors import ConfigurationError, MissingTableError
from dicebase.find import Table
from dicebase.position import asked_columns
from dicebase.rolls import rolled_states_query

if TYPE_CHECKING:
    from dicebase.lookup import Catalog


def lookup_many(catalog: Catalog, table: Table, frame: Any) -> Any:
    """See Catalog.lookup_many."""
    connection, name = catalog.connection, table.name
    try:
        connection.register("frame", frame)
    except (duckdb.Error, TypeError) as error:
        what = f"an Arrow, pandas or Polars table with columns, not this {type(frame).__name__}"
        raise ConfigurationError(f"{name}: give {what}") from error
    try:
        given = [column for column, *_ in catalog._rows("DESCRIBE frame")]
        schema = asked_columns(table, catalog._columns(table), given)
        defaults = {p.name: p.default for p in table.parameters if p.name not in given}
        if not any(defaults.items() <= row["parameters"].items() for row in catalog.tables(name)):
            raise MissingTableError(catalog._not_solved(table, defaults))
        dice = {n for n, kind in schema.items() if kind == "VARCHAR"} - {p.name for p in table.parameters}
        theirs = {n: f'sorted_dice(f."{n}")' if n in dice else f'f."{n}"' for n in given}
        theirs |= {n: _literal(value) for n, value in defaults.items()}
        conditions = " AND ".join(f't."{column}" = {theirs[column]}' for column in schema)
        source = _source(catalog, table, theirs)
        if catalog._is_rolled(table, theirs):
            source, conditions = f"({rolled_states_query(table, theirs, 'f')})", "t.row_number = f.row_number"
        decides = table.match_class.decides
        answers = ["value", "action", "margin"] if decides else [table.match_class.value_name]
        return connection.sql(
            # A frame may be a stream, which can be read only once.
            "WITH f AS MATERIALIZED (SELECT *, row_number() OVER () AS row_number FROM frame) "
            f"SELECT f.* EXCLUDE (row_number), {', '.join(f't.{answer}' for answer in answers)} "
            f"FROM f LEFT JOIN {source} AS t ON {conditions} ORDER BY f.row_number"
        ).to_arrow_table()
    except (duckdb.BinderException, duckdb.ConversionException) as error:
        raise ConfigurationError(f"{name}: {' '.join(str(error).split())}") from error
    except duckdb.Error as error:
        raise catalog._damaged(error) from error
    finally:
        connection.unregister("frame")


def _source(catalog: Catalog, table: Table, theirs: Mapping[str, str]) -> str:
    """What is joined: the view, or, where decisions follow from values, those of the positions asked for alone."""
    existing = {row[0] for row in catalog._rows("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'data'")}
    if f"{table.name}_values" not in existing:
        return table.name
    columns = ", ".join(f'{text} AS "{column}"' for column, text in theirs.items())
    queries = [states_query(table, asked=f"(SELECT DISTINCT {columns} FROM f)")]
    if table.name in existing:
        queries.append(f"SELECT * FROM data.{table.name}")
    return f"({' UNION ALL '.join(queries)})"


def _literal(value: int | str) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
