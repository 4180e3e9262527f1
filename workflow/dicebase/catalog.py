"""The catalogue: every planned table in one DuckDB file that needs nothing beside it.

Native tables, in sorted order, in the schema `data`; in the main schema, for people:

    tables                the variants: parameters, value of the game, error bound, citation
    <table>               one row a decision state
    <table>_actions       one row per state and action
    <table>_at(...)       a table macro: the actions of one position, best first; where dice are kept, of a roll too
    sorted_dice(roll)     a roll as the tables write it, with sorted digits; other text as it is

The data are copied, not referred to: a view over files breaks when a folder moves.
"""

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from dicebase.certificate import FIELDS
from dicebase.derived import actions_query, derived_fields, states_query, store_placements, two_actions_query
from dicebase.errors import DamagedFileError, DicebaseError
from dicebase.find import Table, find_table
from dicebase.plan import files, table_digest
from dicebase.rolls import DICE, ROLL, rolled_actions_query, store_keeps, takes_rolls
from dicebase.tables import ACTIONS, STATES, check_pair, open_parquet, read_footer, replacing

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
    _add_certificates(connection, results, by_table)
    for name, slices in sorted(by_table.items()):
        _add_table(connection, find_table(name), [files(results, name, s)[0] for s in slices])


def _add_certificates(connection: duckdb.DuckDBPyConnection, results: Path, by_table: Mapping[str, list[str]]) -> None:
    """data.certificates and data.slices, after a look at whether each certificate is of its files; the view tables."""
    certificates, keys = [], []
    for name, slices in sorted(by_table.items()):
        for s in slices:
            folder, certificate = files(results, name, s)
            certificates.append(_quoted(str(certificate)))
            keys.append((name, s, _checked_key(certificate, folder)))
    columns = ", ".join(f'"{f.name}"' for f in FIELDS)
    connection.execute(
        f"CREATE TABLE data.certificates AS SELECT {columns} "
        f'FROM read_parquet([{", ".join(certificates)}], union_by_name = true) ORDER BY "table", parameters'
    )
    connection.execute('CREATE TABLE data.slices ("table" VARCHAR, slice VARCHAR, certificate_key VARCHAR)')
    connection.executemany("INSERT INTO data.slices VALUES (?, ?, ?)", keys)
    connection.execute(
        'CREATE VIEW tables AS SELECT "table" AS name, * EXCLUDE ("table", slice) FROM data.certificates'
    )
    connection.execute("COMMENT ON VIEW tables IS 'what is solved: one row a variant'")
    for f in FIELDS:
        if f.name != "slice":
            _comment_column(connection, "tables", "name" if f.name == "table" else f.name, _description(f))


def _add_table(connection: duckdb.DuckDBPyConnection, table: Table, folders: list[Path]) -> None:
    """The rows of a table's slices, and its views: of decisions, stored or derived, or of what else it lists."""
    title = check_pair(folders[0])["title"]
    if not table.match_class.decides:
        fields = _copy(connection, table, table.name, folders, STATES)
        _view(connection, table.name, f"SELECT * FROM data.{table.name}", f"{title} (one row a value)", fields)
        if table.match_class.summarised:
            _summarise(connection, table.name, title, _order(table, fields))
        return
    decided = [f for f in folders if "action" in open_parquet(f / STATES).schema_arrow.names]
    valued = [f for f in folders if f not in decided]
    name, actions_name = table.name, f"{table.name}_actions"
    states, actions, fields = [], [], []
    if decided:
        fields = [_copy(connection, table, name, decided, STATES)]
        states.append(f"SELECT * FROM data.{name}")
        if table.match_class.two_actions:
            fields.append(list(open_parquet(decided[0] / ACTIONS).schema_arrow))
            actions.append(two_actions_query(table, [f.name for f in _order(table, fields[1])]))
        else:
            fields.append(_copy(connection, table, actions_name, decided, ACTIONS))
            actions.append(f"SELECT * FROM data.{actions_name}")
    if valued:
        stored = _copy(connection, table, f"{name}_values", valued, STATES)
        _view(connection, f"{name}_values", f"SELECT * FROM data.{name}_values", f"{title} (one row a value)", stored)
        store_placements(connection, table)
        actions.append(f"({actions_query(table)})")
        states.append(f"({states_query(table)})")
    fields = fields or derived_fields(table)
    _view(connection, name, " UNION ALL ".join(states), f"{title} (one row a state)", fields[0])
    _view(connection, actions_name, " UNION ALL ".join(actions), f"{title} (one row a state and action)", fields[1])
    keys = {f.name: f.type for f in _order(table, fields[0])}
    if takes_rolls(table, keys):
        store_keeps(connection, table)
    # A macro over a view is refused where an argument has the name of one of its columns: give it the query.
    connection.execute(_macro(table, keys, f"({' UNION ALL '.join(actions)})"))


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


def _copy(
    connection: duckdb.DuckDBPyConnection, table: Table, name: str, folders: list[Path], file: str
) -> list[pa.Field]:
    """data.<name> from one file of each folder, in sorted order; returns its columns."""
    spans = []
    for folder in folders:  # a damaged file is named here, before anything is built from it
        fields = list(open_parquet(folder / file).schema_arrow)
        variants = [tuple(v["parameters"].values()) for v in read_footer(folder / file)["variants"]]
        spans.append((variants[0], variants[-1], folder / file))
    spans.sort(key=lambda span: span[:2])
    sources = ", ".join(_quoted(str(path)) for _, _, path in spans)
    # A file is in order, and files are read in the order given: only files whose variants interleave are sorted, which
    # takes three times as long. One thread fills row groups to the brim; two leave gaps, and more to store.
    interleaved = any(last >= first for (_, last, _), (first, _, _) in pairwise(spans))
    ordered = ", ".join(f'"{f.name}"' for f in _order(table, fields))
    query = f"SELECT * FROM read_parquet([{sources}])" + (f" ORDER BY {ordered}" if interleaved else "")
    connection.execute(f"SET threads = {LIMITS['threads'] if interleaved else 1}")
    connection.execute(f"CREATE TABLE data.{name} AS {query}")
    return fields


def _view(connection: duckdb.DuckDBPyConnection, name: str, query: str, text: str, fields: Iterable) -> None:
    """A view with its comments."""
    connection.execute(f"CREATE VIEW {name} AS {query}")
    _comment(connection, name, text, fields)


def _comment(connection: duckdb.DuckDBPyConnection, view: str, text: str, fields: Iterable) -> None:
    connection.execute(f"COMMENT ON VIEW {view} IS {_quoted(text)}")
    for f in fields:
        _comment_column(connection, view, f.name, _description(f))


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


def _macro(table: Table, keys: Mapping[str, pa.DataType], source: str) -> str:
    """`<table>_at(state..., parameter := default...)`: the actions of one position, best first. Where dice are kept,
    `roll :=` may be given in the place of `dice`."""
    parameters = [p.name for p in table.parameters]
    state = {name: kind for name, kind in keys.items() if name not in parameters}
    defaults = [f'"{p.name}" := {_quoted(p.default) if p.kind is str else p.default}' for p in table.parameters]
    # An unqualified `me = me` would compare the argument with itself. Text in a state is dice, in any order.
    where = [f't."{name}" = "{name}"' for name in parameters]
    where += [f't."{n}" = ' + (f'sorted_dice("{n}")' if kind == pa.string() else f'"{n}"') for n, kind in state.items()]
    columns = "action, q_value, regret, probability, optimal, undecided"
    ranked = f"SELECT {columns} FROM {source} AS t WHERE {' AND '.join(where)}"
    arguments = [f'"{name}"' for name in state]
    if takes_rolls(table, keys):
        arguments = [a for a in arguments if a != f'"{DICE}"'] + [f"{DICE} := NULL", f"{ROLL} := NULL"]
        given = {name: f'"{name}"' for name in (*keys, ROLL)}
        ranked += f" UNION ALL SELECT {columns} FROM ({rolled_actions_query(table, given)}) AS t"
        wrong = f"error('{table.name}_at: give either {DICE} or {ROLL}')"
        ranked += f" UNION ALL SELECT {wrong}, 0, 0, 0, false, false WHERE ({DICE} IS NULL) = ({ROLL} IS NULL)"
    return (
        f"CREATE MACRO {table.name}_at({', '.join([*arguments, *defaults])}) AS TABLE "
        f"{ranked} ORDER BY optimal DESC, probability DESC, regret, action"
    )


def _quoted(text: str) -> str:
    return "'" + str(text).replace("'", "''") + "'"
