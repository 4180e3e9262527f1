"""Add one table to the catalogue: its rows as native tables, its views, and its macro `<table>_at`."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from glob import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from dicebase.catalog.sql.follow_tables import (
    by_length,
    followed_fields,
    store_beyond,
    store_followed,
    store_turns,
    store_ways,
)
from dicebase.catalog.sql.queries import ANSWERS, queries, quoted
from dicebase.certify.certificate import FIELDS
from dicebase.tables.follow.rolls import ROLL, takes_rolls
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import Table, shared
from dicebase.tables.parquet import action_fields, field, open_parquet, read_footer, read_slice
from dicebase.vocabulary import Json, Layout

BOUND = next(f for f in FIELDS if f.name == "error_bound")
PERCENTILES = (5, 25, 75, 95)
IN_PLACE = 48 * 10**6  # bytes of a table's files above which SQL reads them; a copy takes two to ten times as many
NO_FOLDERS = "hive_partitioning = false"
# By default one build may take all the memory of the machine.
LIMITS = {"memory_limit": "512MB", "threads": 2}


def add_table(connection: duckdb.DuckDBPyConnection, table: Table, slices: list[SliceFiles]) -> list[pa.Field]:
    """Add the rows of a table's slices, its views (with stored or computed decisions, or other rows) and its macro;
    return the columns of the view `<table>`."""
    title = read_slice(slices[0])["title"]
    layout = table.match_class.layout
    variants = [v["parameters"] for s in slices for v in read_footer(s.rows)["variants"]]
    defaults = {p.name: p.default for p in table.parameters} | shared(variants)
    copy = partial(_copy, connection, table, is_in_place(slices))
    if not layout.decides:
        return _add_values(connection, table, slices, title, defaults, copy)
    decided = [s for s in slices if "action" in open_parquet(s.rows).schema_arrow.names]
    valued = [s for s in slices if s not in decided]
    decided, longer = by_length(decided)
    if longer:
        copy(f"{table.name}_longer", [s.rows for s in longer], text=f"{title} (positions with more columns)")
    name, actions_name = table.name, f"{table.name}_actions"
    states, actions, fields, sheet = [], [], [], None
    if decided:
        fields = [copy(name, [s.rows for s in decided])]
        states.append(f"SELECT * FROM data.{name}")
        if layout is Layout.TWO_ACTIONS:
            keys = _order(table, fields[0])
            fields.append([*keys, *action_fields(table.match_class)])
            actions.append(queries().two_actions(table, [f.name for f in keys], f"data.{name}"))
        else:
            files = [s.actions for s in decided]
            pure = "SELECT bool_and(probability IN (0, 1)) FROM " + rows_of(files, "union_by_name = true")
            probability = "probability = 1" * connection.execute(pure).fetchone()[0]
            fields.append(copy(actions_name, files, queries().packed(table, probability)))
            shown = "*" if is_in_place(slices) else queries().unpacked([f.name for f in fields[1]])
            actions.append(f"SELECT {shown} FROM data.{actions_name} AS a")
    if valued:
        copy(f"{name}_values", [s.rows for s in valued], text=f"{title} (one row per value)")
        *views, sheet = store_followed(connection, table)
        states, actions = ([*known, f"({query})"] for known, query in zip((states, actions), views, strict=True))
    fields = fields or followed_fields(table)
    starts = layout is Layout.TWO_ACTIONS and store_turns(connection, table)
    of_states = "one row per state" + "; variants stored by the starts of turns have one per start" * starts
    view(connection, name, " UNION ALL ".join(states), f"{title} ({of_states})", fields[0])
    view(connection, actions_name, " UNION ALL ".join(actions), f"{title} (one row per state and action)", fields[1])
    keys = _order(table, fields[0])
    names = [f.name for f in keys]
    rolls = takes_rolls(table, names)
    if rolls or starts:
        store_ways(connection, table, rolls)
    # DuckDB rejects a macro over a view if an argument has the name of a column, so the macro gets the query.
    beyond = store_beyond(connection, table)
    source = queries().two_actions(table, names, "_rows", "_") if rolls else " UNION ALL ".join(actions)
    kinds = {"starts": starts, "beyond": beyond, "sheet": sheet, "defaults": defaults}
    connection.execute(_at(table, keys, f"({source})", ANSWERS, **kinds))
    return fields[0]


def _add_values(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    slices: list[SliceFiles],
    title: str,
    defaults: Json,
    copy: Callable[..., list[pa.Field]],
) -> list[pa.Field]:
    """Add a table that lists values without decisions; return the columns of the view `<table>`. `copy` is _copy for
    this table."""
    layout = table.match_class.layout
    fields = copy(table.name, [s.rows for s in slices])
    keys, shown, query = _order(table, fields), fields, f"SELECT * FROM data.{table.name}"
    if layout in (Layout.MATCHUPS, Layout.PAIRS):
        shown, query = [*fields, BOUND], queries().bounded(table)
    if layout is Layout.PAIRS:
        copy(f"{table.name}_values", [s.beside for s in slices], text=f"{title} (one row per pair and position)")
    view(connection, table.name, query, f"{title} (one row per value)", shown)
    answers = [f.name for f in fields[len(keys) :] if pa.types.is_floating(f.type)]  # numbers, not their labels
    connection.execute(_at(table, keys, f"data.{table.name}", answers, defaults=defaults))
    if layout is Layout.DISTRIBUTION:
        _summarise(connection, table.name, title, keys)
    return shown


def add_paper(connection: duckdb.DuckDBPyConnection, table: Table, fields: list[pa.Field]) -> None:
    """Add the view `<table>_paper` with the rows of the default variant, if it is solved and the table has
    parameters."""
    if not (variant := {p.name: p.default for p in table.parameters}):
        return
    solved = 'SELECT 1 FROM data.certificates WHERE "table" = ? AND parameters = ?'
    if not connection.execute(solved, [table.name, json.dumps(variant)]).fetchone():
        return
    query = f"SELECT * FROM {table.name} WHERE " + " AND ".join(f'"{n}" = {quoted(x)}' for n, x in variant.items())
    said = ", ".join(f"{name} {value}" for name, value in variant.items())
    view(connection, f"{table.name}_paper", query, f"{table.title} Rules of the paper: {said}", fields)


def _at(table: Table, keys: list[pa.Field], source: str, answers: list[str], **kinds: Any) -> str:
    """Return the macro `<table>_at` over the relation `source`. In `kinds`, `defaults` has the defaults of parameters,
    `starts` says whether variants store only the starts of turns, `beyond` whether positions past the stored totals are
    answered, and `sheet` is the result of store_sheets."""
    names = [f.name for f in keys]
    if table.followed and table.rules_class.family == "draws":
        return queries("draws.sql").at(table, [p.name for p in table.parameters], answers)
    given = {f.name: _as_stored(f) for f in (field(ROLL, pa.string(), ""), *keys)}
    if kinds.get("sheet"):
        given["open"] = f"(SELECT _s._card FROM ({queries().sheet(table, given)}) AS _s)"
        given["rerolls_left"] = "rerolls_left"
    return queries().at(table, names, source, answers, given, takes_rolls(table, names), **kinds)


def _as_stored(key: pa.Field) -> str:
    """Return the SQL that converts an argument to its column: numbers become text where needed, dice are sorted."""
    if key.type != pa.string():
        return f'"{key.name}"'
    return f'sorted_dice("{ROLL}")' if key.name == ROLL else f'CAST("{key.name}" AS VARCHAR)'


def _order(table: Table, fields: list) -> list:
    """Return the parameters and state columns, which precede the first answer."""
    names = [f.name for f in fields]
    answers = "value", "action", "probability", table.match_class.value.name
    first_answer = min(names.index(n) for n in answers if n in names)
    return fields[:first_answer]


def _copy(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    in_place: bool,
    name: str,
    files: list[Path],
    stored: str = "*",
    text: str = "",
) -> list[pa.Field]:
    """Create data.<name> from these files, sorted, with the columns `stored`, or over them if they stay `in_place`. If
    a `text` describes the rows, the view <name> shows them. Return the columns of the files."""
    spans = []
    for path in files:  # raises for a damaged file before anything is built from it
        fields = list(open_parquet(path).schema_arrow)
        variants = [tuple(v["parameters"].values()) for v in read_footer(path)["variants"]]
        spans.append((variants[0], variants[-1], path))
    spans.sort(key=lambda span: span[:2])
    # Each file is sorted and the files are read in order, so only files whose variants interleave need the sort, which
    # takes three times as long. One thread fills row groups completely; two leave gaps and take more space.
    interleaved = any(last >= first for (_, last, _), (first, _, _) in pairwise(spans))
    ordered = ", ".join(f'"{f.name}"' for f in _order(table, fields))
    # The actions of a state are in one file, in the game's order, which file_row_number keeps.
    query = f"SELECT * EXCLUDE (file_row_number) FROM {rows_of((s[-1] for s in spans), 'file_row_number = true')}" + (
        f" ORDER BY {ordered}, file_row_number" if interleaved else ""
    )
    connection.execute(f"SET threads = {LIMITS['threads'] if interleaved else 1}")
    if in_place:
        folder = files[0].parents[2]
        there = ", ".join(f"results_folder() || {quoted(escape(str(s[-1].relative_to(folder))))}" for s in spans)
        connection.execute(f"CREATE VIEW data.{name} AS SELECT * FROM read_parquet([{there}], {NO_FOLDERS})")
    else:
        connection.execute(f"CREATE TABLE data.{name} AS SELECT {stored} FROM ({query})")
    if text:
        view(connection, name, f"SELECT * FROM data.{name}", text, fields)
    return fields


def is_in_place(slices: Iterable[SliceFiles]) -> bool:
    """Return whether a table is too large to copy, so that SQL reads its files in place."""
    return sum(path.stat().st_size for s in slices for path in (s.rows, s.beside) if path.exists()) > IN_PLACE


def rows_of(files: Iterable[Path], option: str) -> str:
    """Return the rows of Parquet files as an SQL source. Paths are absolute and escaped, so that DuckDB takes none for
    a pattern or a URL, and a folder such as `dice=1` does not become a column."""
    paths = ", ".join(quoted(escape(str(path.absolute()))) for path in files)
    return f"read_parquet([{paths}], {NO_FOLDERS}, {option})"


def view(connection: duckdb.DuckDBPyConnection, name: str, query: str, text: str, fields: Iterable) -> None:
    """Create a view with comments on it and its columns."""
    connection.execute(f"CREATE VIEW {name} AS {query}")
    comment(connection, "VIEW", name, text, fields)


def comment(connection: duckdb.DuckDBPyConnection, kind: str, name: str, text: str, fields: Iterable[pa.Field]) -> None:
    """Comment on a view or a table (`kind`) and on its columns, which have their own descriptions and units."""
    said = [f"COMMENT ON {kind} {name} IS {quoted(text)}"]
    for f in fields:
        of = {key.decode(): text.decode() for key, text in f.metadata.items()}
        unit = f" [{of['unit']}]" if of["unit"] else ""
        said.append(f'COMMENT ON COLUMN {name}."{f.name}" IS {quoted(of["description"] + unit)}')
    # In one transaction, because each separate one would wait for the disk.
    connection.execute("; ".join(["BEGIN", *said, "COMMIT"]))


def _summarise(connection: duckdb.DuckDBPyConnection, name: str, title: str, keys: list[pa.Field]) -> None:
    """Add `<table>_summary`: mean, standard deviation, median and percentiles of each distribution."""
    *group, x = (key.name for key in keys)
    connection.execute(queries().summary(name, group, x, PERCENTILES))
    said = {key.decode(): text.decode() for key, text in keys[-1].metadata.items()}
    names = ["mean", "standard_deviation", "median", "least", "greatest", *(f"percentile_{p}" for p in PERCENTILES)]
    texts = [f"{name.replace('_', ' ')} of: {said['description']}" for name in names]
    found = [field(name, pa.float64(), text, said["unit"]) for name, text in zip(names, texts, strict=True)]
    comment(connection, "VIEW", f"{name}_summary", f"{title} (one row per distribution)", [*keys[:-1], *found])
