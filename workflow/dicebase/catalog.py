"""The catalogue: every planned table in one DuckDB file that needs nothing beside it.

Native tables, in sorted order, in the schema `data`; in the main schema, for people:

    tables                the variants: parameters, value of the game, error bound, citation
    <table>               one row a decision state
    <table>_actions       one row per state and action
    <table>_at(...)       a table macro: the actions of one position, best first
    sorted_dice(roll)     a roll as the tables write it, with sorted digits; other text as it is

The data are copied, not referred to: a view over files breaks when a folder moves.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from dicebase.certificate import FIELDS
from dicebase.derived import create_views, derived_fields
from dicebase.errors import DamagedFileError, DicebaseError
from dicebase.find import Table, find_table
from dicebase.game import Game
from dicebase.plan import files, table_digest
from dicebase.tables import ACTIONS, STATES, check_pair, open_parquet, replacing

NAME = "dicebase.duckdb"
# A default limit lets one build take all the memory of a machine.
LIMITS = {"memory_limit": "512MB", "threads": 2}
# So that older clients can open the file too.
STORAGE = {"storage_compatibility_version": "v1.2.0"}


def build_catalog(results: Path | str, slices: Iterable[tuple[str, str]]) -> Path:
    """Build results/dicebase.duckdb from the files of these (table, slice) and no others; returns its path."""
    path = Path(results) / NAME
    by_table: dict[str, list[str]] = {}
    for table, name in slices:
        by_table.setdefault(table, []).append(name)
    with replacing(path) as temporary:
        # A killed run may have left a file of this name, and process numbers come round again.
        temporary.unlink(missing_ok=True)
        settings = LIMITS | STORAGE | {"temp_directory": str(temporary.with_suffix(".spill"))}
        try:
            with duckdb.connect(str(temporary), config=settings) as connection:
                _fill(connection, Path(results), by_table)
        except duckdb.Error as error:
            raise DicebaseError(f"{path}: cannot be built: {str(error).splitlines()[0]}") from error
    return path


def _fill(connection: duckdb.DuckDBPyConnection, results: Path, by_table: Mapping[str, list[str]]) -> None:
    connection.execute("CREATE SCHEMA data")
    connection.execute(
        "CREATE MACRO sorted_dice(roll) AS CASE WHEN regexp_full_match(CAST(roll AS VARCHAR), '[0-9]+') "
        "THEN array_to_string(list_sort(string_split(CAST(roll AS VARCHAR), '')), '') ELSE CAST(roll AS VARCHAR) END"
    )
    columns = ", ".join(f'"{f.name}"' for f in FIELDS)
    certificates, keys, following = [], [], []
    for name, slices in sorted(by_table.items()):
        table = find_table(name)
        folders = [files(results, name, s)[0] for s in slices]
        for s, folder in zip(slices, folders, strict=True):
            certificates.append(files(results, name, s)[1])
            keys.append((name, s, _checked_key(certificates[-1], folder)))
        footer = check_pair(folders[0])
        stored = issubclass(table.match_class, Game)
        follow = table.match_class.decides and not stored
        # What a table lists, the name of its view, and what a row of it is.
        relations = [(STATES, name, f"{name}_values" if follow else name, "a state" if stored else "a value")]
        relations += [(ACTIONS, f"{name}_actions", f"{name}_actions", "a state and action")] if stored else []
        for file, relation, view, kind in relations:
            fields = list(open_parquet(folders[0] / file).schema_arrow)
            ordered = ", ".join(f'"{f.name}"' for f in _order(table, fields))
            _copy(connection, relation, view, [folder / file for folder in folders], ordered)
            _comment(connection, view, f"{footer['title']} (one row {kind})", fields)
        if stored:
            connection.execute(_macro(table, _order(table, fields), f"data.{name}_actions"))
        elif follow:
            following.append((table, footer["title"]))
        elif table.match_class.value_name == "probability":
            _summarise(connection, table.name, footer["title"], _order(table, fields))
    paths = ", ".join(_quoted(str(p)) for p in certificates)
    connection.execute(
        f"CREATE TABLE data.certificates AS SELECT {columns} FROM read_parquet([{paths}], union_by_name = true) "
        'ORDER BY "table", parameters'
    )
    for table, title in following:
        # A macro over a view is refused where an argument has the name of one of its columns: give it the query.
        query = create_views(connection, table)
        connection.execute(_macro(table, _order(table, derived_fields(table)), f"({query})"))
        _comment_derived(connection, table, title)
    connection.execute('CREATE TABLE data.slices ("table" VARCHAR, slice VARCHAR, certificate_key VARCHAR)')
    connection.executemany("INSERT INTO data.slices VALUES (?, ?, ?)", keys)
    connection.execute(
        'CREATE VIEW tables AS SELECT "table" AS name, * EXCLUDE ("table", slice) FROM data.certificates'
    )
    connection.execute("COMMENT ON VIEW tables IS 'what is solved: one row a variant'")
    for f in FIELDS:
        if f.name != "slice":
            _comment_column(connection, "tables", "name" if f.name == "table" else f.name, _description(f))


def _checked_key(certificate: Path, folder: Path) -> str:
    """The certificate's key, after a look at whether it is of these very files."""
    key = (open_parquet(certificate).schema_arrow.metadata or {}).get(b"dicebase.key", b"null").decode()
    if key == "null" or json.loads(key)["table"] != table_digest(check_pair(folder)["key"]):
        raise DamagedFileError(f"{certificate}: certifies another table than the one in {folder}; certify again")
    return key


def _order(table: Table, fields: list) -> list:
    """Parameters and state: the columns before the first of the answer."""
    names = [f.name for f in fields]
    first_answer = min(names.index(n) for n in ("value", "action", "probability") if n in names)
    return fields[:first_answer]


def _copy(connection: duckdb.DuckDBPyConnection, name: str, view: str, paths: list[Path], ordered: str) -> None:
    for path in paths:
        open_parquet(path)  # a damaged file is named here, before anything is built from it
    sources = ", ".join(_quoted(str(p)) for p in paths)
    connection.execute(f"CREATE TABLE data.{name} AS SELECT * FROM read_parquet([{sources}]) ORDER BY {ordered}")
    connection.execute(f"CREATE VIEW {view} AS SELECT * FROM data.{name}")


def _comment(connection: duckdb.DuckDBPyConnection, view: str, text: str, fields: Iterable) -> None:
    connection.execute(f"COMMENT ON VIEW {view} IS {_quoted(text)}")
    for f in fields:
        _comment_column(connection, view, f.name, _description(f))


def _comment_derived(connection: duckdb.DuckDBPyConnection, table: Table, title: str) -> None:
    fields, unit = derived_fields(table), table.match_class.unit
    _comment(connection, f"{table.name}_actions", f"{title} (one row a position and action)", fields)
    _comment(connection, table.name, f"{title} (one row a position)", _order(table, fields))
    for column, text in (
        ("value", f"value of the position, which is that of its best action [{unit}]"),
        ("action", "the optimal action; of several, the first"),
        ("margin", f"regret of the second-best action; NULL means one legal action [{unit}]"),
    ):
        _comment_column(connection, table.name, column, text)


def _comment_column(connection: duckdb.DuckDBPyConnection, view: str, column: str, text: str) -> None:
    connection.execute(f'COMMENT ON COLUMN {view}."{column}" IS {_quoted(text)}')


def _description(field: Any) -> str:
    metadata = {k.decode(): v.decode() for k, v in (field.metadata or {}).items()}
    unit = f" [{metadata['unit']}]" if metadata.get("unit") else ""
    return metadata.get("description", "") + unit


def _summarise(connection: duckdb.DuckDBPyConnection, name: str, title: str, keys: list[pa.Field]) -> None:
    """`<table>_summary`: mean, standard deviation and median of each distribution over its last column."""
    *group, x = (f'"{key.name}"' for key in keys)
    by = ", ".join(group)
    connection.execute(
        f"CREATE VIEW {name}_summary AS "
        f"WITH moments AS (SELECT {by}, sum({x} * probability) AS mean FROM data.{name} GROUP BY {by}), "
        f"cumulated AS (SELECT *, sum(probability) OVER (PARTITION BY {by} ORDER BY {x}) AS up_to FROM data.{name}) "
        f"SELECT {by}, any_value(mean) AS mean, sqrt(sum(probability * ({x} - mean) ** 2)) AS standard_deviation, "
        # A sum of doubles meets a half that is exact only up to its rounding.
        f"min({x}) FILTER (up_to >= 0.5 - 1e-12) AS median, min({x}) AS least, max({x}) AS greatest "
        f"FROM cumulated JOIN moments USING ({by}) GROUP BY {by} ORDER BY {by}"
    )
    _comment(connection, f"{name}_summary", f"{title} (one row a distribution)", keys[:-1])
    for column in ("mean", "standard_deviation", "median", "least", "greatest"):
        text = f"{column.replace('_', ' ')} of: {_description(keys[-1])}"
        _comment_column(connection, f"{name}_summary", column, text)


def _macro(table: Table, keys: list, source: str) -> str:
    """`<table>_at(state..., parameter := default...)`: the actions of one position, best first."""
    parameters = [p.name for p in table.parameters]
    state = {f.name: f.type for f in keys if f.name not in parameters}
    defaults = [f'"{p.name}" := {_quoted(p.default) if p.kind is str else p.default}' for p in table.parameters]
    # An unqualified `me = me` would compare the argument with itself. Text in a state is dice, in any order.
    where = [f't."{name}" = "{name}"' for name in parameters]
    where += [f't."{n}" = ' + (f'sorted_dice("{n}")' if kind == pa.string() else f'"{n}"') for n, kind in state.items()]
    arguments = ", ".join([*(f'"{name}"' for name in state), *defaults])
    return (
        f"CREATE MACRO {table.name}_at({arguments}) AS TABLE "
        f"SELECT action, q_value, regret, probability, optimal, undecided FROM {source} AS t "
        f"WHERE {' AND '.join(where)} ORDER BY regret, probability DESC, action"
    )


def _quoted(text: str) -> str:
    return "'" + str(text).replace("'", "''") + "'"
