"""Turn DuckDB's errors into ours, with DuckDB's message unless it would mislead."""

import re
from pathlib import Path

import duckdb

from dicebase.vocabulary import ConfigurationError, DamagedFileError, DicebaseError, QueryError, RefusedError

NO_VIEW = re.compile(r"Catalog Error: Table with name (\w+) does not exist")
ONLY_READS = "SQL only reads the catalogue unless it is unrestricted (--unrestricted)"
NO_TIMES = "a time with a time zone needs the package pytz, which is not installed; cast it, as in now()::TIMESTAMP"


WRITES = re.compile(r"\b(copy|export)\b", re.IGNORECASE)


def check_one(connection: duckdb.DuckDBPyConnection, query: str, unrestricted: bool) -> None:
    """Raise ConfigurationError if a query is empty, or if a statement before the last gives rows, because the engine
    would discard these. Raise RefusedError for COPY or EXPORT, unless everything is permitted, because the engine would
    overwrite a table's file that a view reads in place. Raises duckdb.Error if the query cannot be parsed."""
    statements = connection.extract_statements(query)
    if not unrestricted and any(s.type != duckdb.StatementType.SELECT and WRITES.search(s.query) for s in statements):
        raise RefusedError(f"SQL: a statement with COPY or EXPORT is refused; {ONLY_READS}")
    if not statements:
        raise ConfigurationError("SQL: the query is empty")
    rows = [duckdb.ExpectedResultType.QUERY_RESULT]
    if any(statement.expected_result_type == rows for statement in statements[:-1]):
        only = "only the last would be answered; give one at a time"
        raise ConfigurationError(f"SQL: {len(statements)} statements at once, of which {only}")


def explained(error: Exception, connection: duckdb.DuckDBPyConnection, path: Path) -> DicebaseError:
    """Return an error with the engine's message and, if there is a remedy, the remedy."""
    text = f"SQL: {str(error).strip()}"
    if "Corrupt database file" in text:
        return DamagedFileError(f"{path}: damaged: {str(error).splitlines()[0]}; delete it and build it again")
    if isinstance(error, duckdb.PermissionException):
        return RefusedError(f"{text}; {ONLY_READS}")
    if "Required module 'pytz'" in text:
        return DicebaseError(f"SQL: {NO_TIMES}")
    if (missing := NO_VIEW.search(text)) and (other := _other_views(connection, missing[1])):
        return DicebaseError(f"SQL: {other}")
    return QueryError(text) if "\nLINE " in text else DicebaseError(text)


def _other_views(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    """Say which views a table has if a query names one that it lacks, such as `pig_turn_summary`; empty if the
    name does not start with the name of a table."""
    query = "SELECT view_name FROM duckdb_views() WHERE NOT internal"
    views = [row[0] for row in connection.cursor().execute(query).fetchall()]
    table = max((view for view in views if name.lower().startswith(f"{view}_")), key=len, default="")
    others = sorted(view for view in views if f"{view}_".startswith(f"{table}_"))
    return table and f"the table {table} has no view {name}; it has {', '.join(others)}"
