"""Check that an untrusted statement is one query over the catalogue, by walking its syntax tree.

Statements, tables and table functions can reach outside the catalogue, so the permitted ones are listed. Scalar
functions read nothing, so the forbidden ones are listed: those that reveal the machine, keep state, sleep, or take SQL
or the engine's internal structures as arguments.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import duckdb

from dicebase.vocabulary import DicebaseError, RefusedError

ALLOWED = "allowed is one SELECT, VALUES, DESCRIBE, SUMMARIZE, SHOW TABLES or EXPLAIN over the tables of the catalogue"

NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
"""The nodes that only read; INSERT, UPDATE and DELETE may hide in a WITH."""

TABLE_FUNCTIONS = {
    *("range", "generate_series", "unnest", "json_each", "json_tree"),
    *("duckdb_columns", "duckdb_tables", "duckdb_views"),
}
SYSTEM_VIEWS = {("information_schema", "columns"), ("information_schema", "tables")}
SHOWN = {'"tables"', "__show_tables_expanded"}

FORBIDDEN_FUNCTIONS = {
    *("current_setting", "getvariable", "getenv", "which_secret", "write_log", "parse_duckdb_log_message"),
    *("nextval", "currval", "setval", "setseed", "sleep_ms", "pg_sleep"),
    *("json_serialize_plan", "json_serialize_sql", "json_deserialize_sql", "json_execute_serialized_sql"),
    *("combine", "combine_aggr", "finalize", "to_aggregate_state", "stats", "invoke", "remap_struct"),
    *("add_parquet_key", "get_block_size", "pg_conf_load_time", "pg_postmaster_start_time"),
}
INTERNAL = "__internal"

EXPLAIN = re.compile(r"\s*explain\s+(?!analy[sz]e\b)(?=\w)", re.IGNORECASE)
CALLED = {"MULTI": "PIVOT outside of FROM, or without IN", "EXPLAIN": "EXPLAIN ANALYZE, or with options"}


@dataclass(frozen=True)
class Names:
    """The names in a catalogue: (schema, name) of tables and views, and table macros, all in lower case."""

    database: str
    tables: frozenset[tuple[str, str]]
    macros: frozenset[str]


def names_of(connection: duckdb.DuckDBPyConnection) -> Names:
    """Return the tables, views and table macros that a database defines itself."""
    views = "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
    tables = "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal"
    macros = "SELECT function_name FROM duckdb_functions() WHERE NOT internal AND function_type = 'table_macro'"
    (database,) = connection.execute("SELECT lower(current_database())").fetchone()
    found = connection.execute(f"{views} UNION ALL {tables}").fetchall()
    return Names(
        database,
        frozenset((schema.lower(), name.lower()) for schema, name in found),
        frozenset(name.lower() for (name,) in connection.execute(macros).fetchall()),
    )


def check_query(connection: duckdb.DuckDBPyConnection, query: str, names: Names) -> None:
    """Raise RefusedError if a statement is not permitted, and DicebaseError if it cannot be parsed."""
    query = query[match.end() :] if (match := EXPLAIN.match(query)) else query
    try:
        statements = connection.extract_statements(query)
    except duckdb.Error as error:
        raise DicebaseError(one_line(error)) from error
    if not statements:
        raise DicebaseError("SQL: the query is empty")
    if len(statements) > 1:
        raise RefusedError(f"SQL: {len(statements)} statements at once are refused; {ALLOWED}")
    try:
        kind = statements[0].type.name
    except ValueError:  # the Python client has no name for this kind
        kind = "this kind of statement"
    if kind != "SELECT":
        raise RefusedError(f"SQL: {CALLED.get(kind, kind)} is refused; {ALLOWED}")
    options = "skip_null := true, skip_empty := true, skip_default := true"
    try:
        # The tree does not expand views and macros, which are ours and need no check.
        (text,) = connection.execute(f"SELECT json_serialize_sql(CAST(? AS VARCHAR), {options})", [query]).fetchone()
        tree = json.loads(text)
        if tree["error"]:
            raise RefusedError(f"SQL: the statement is refused: it cannot be checked; {ALLOWED}")
        _check(tree["statements"], names, frozenset())
    except (RecursionError, duckdb.Error) as error:
        raise RefusedError("SQL: the statement is refused: it is nested too deeply") from error


def one_line(error: Exception) -> str:
    """Return the engine's message on one line."""
    return f"SQL: {' '.join(str(error).split())}"


def _check(tree: Any, names: Names, common: frozenset[str]) -> None:
    """Check a syntax tree; `common` are the names of the common table expressions in scope."""
    if isinstance(tree, list):
        for branch in tree:
            _check(branch, names, common)
    if not isinstance(tree, dict):
        return
    kind = str(tree.get("type", ""))
    if kind.endswith("_NODE") and kind not in NODES:
        raise RefusedError(f"SQL: {kind.split('_')[0]} is refused; {ALLOWED}")
    if kind == "BASE_TABLE":
        _check_table(tree, names, common)
    elif kind == "SHOW_REF" and "query" not in tree and tree.get("table_name") not in SHOWN:
        raise RefusedError(f"SQL: SHOW of '{tree.get('table_name', '')}' is refused; {ALLOWED}")
    elif kind == "TABLE_FUNCTION":
        _check_table_function(tree["function"], names)
    function = tree.get("function_name", "")
    if function.lower() in FORBIDDEN_FUNCTIONS or function.lower().startswith(INTERNAL):
        raise RefusedError(
            f"SQL: the function '{function}' is refused: a query may read the tables, but nothing else on the machine"
        )
    # The name of a common table expression is in scope in later expressions and the query, and in its own only if it is
    # recursive. Elsewhere the name means a table of the database.
    for entry in tree.get("cte_map", {}).get("map", []):
        _check(entry["value"], names, common)
        common |= {entry["key"].lower()}
    for key, branch in tree.items():
        if key != "cte_map":
            own = {tree["cte_name"].lower()} if kind == "RECURSIVE_CTE_NODE" and key == "right" else set()
            _check(branch, names, common | own)


def _check_table(reference: dict, names: Names, common: frozenset[str]) -> None:
    *qualifiers, name = (part.lower() for part in reference["qualified_name"]["path"])
    if not qualifiers and name in common:
        return
    if qualifiers and qualifiers[0] == names.database:
        del qualifiers[0]
    schema = ".".join(qualifiers) or "main"
    if (schema, name) in names.tables or (schema, name) in SYSTEM_VIEWS:
        return
    shown = ".".join(reference["qualified_name"]["path"])
    raise RefusedError(f"SQL: there is no table '{shown}' in the catalogue; SHOW TABLES lists them, files are not read")


def _check_table_function(function: dict, names: Names) -> None:
    name = function["function_name"].lower()
    if len(function["qualified_name"]["path"]) > 1 or name not in TABLE_FUNCTIONS | names.macros:
        allowed = ", ".join([*sorted(TABLE_FUNCTIONS), "<table>_at"])
        raise RefusedError(f"SQL: the table function '{name}' is refused; allowed are {allowed}")
