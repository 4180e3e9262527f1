"""What readers read, made again from certified tables and compared: the catalogue row by row with its views, macros and
comments, the mapped rows, the audit, the pages and the explorer byte by byte.

It is made in a temporary folder, which takes as much disk as what is compared (TMPDIR says where). Pictures are left
out: they are drawn from the same rows, and other fonts draw them otherwise.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from filecmp import cmp
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow.parquet as pq

from dicebase.audit.store import store_audit
from dicebase.catalog.build import build_catalog
from dicebase.catalog.queries import quoted
from dicebase.catalog.row_arrays import Mapped, contents_name, mapped_tables
from dicebase.catalog.table_views import LIMITS
from dicebase.pipeline import steps
from dicebase.show.report import write_pages
from dicebase.tables.layout import AUDIT, CATALOG, EXPLORER, FOLDERS, MAPPED, PAGES, SliceName, slices_in
from dicebase.vocabulary import DicebaseError, in_one_line

STAMP = ".snakemake_timestamp"
"""What Snakemake leaves in a folder that is the output of a rule."""


def wrong(look: Callable[[], str | None], damaged: str = "damaged") -> str | None:
    """What a look at files finds: whoever made them may have written anything into them."""
    try:
        return look()
    except DicebaseError as error:
        return str(error)
    except Exception as error:
        return f"{damaged}: {in_one_line(error)}"


def compare(results: Path) -> Iterator[tuple[str, str | None]]:
    """(what of a results folder was compared, how it differs from what its certified tables give); of what is there."""
    with TemporaryDirectory(prefix="dicebase-") as folder:
        again = Path(folder)
        for name in FOLDERS:
            (again / name).symlink_to((results / name).resolve())
        for name, differs in {
            CATALOG: _catalogue,
            MAPPED: _mapped,
            AUDIT: partial(_folder, AUDIT, steps.audit),
            PAGES: partial(_folder, PAGES, write_pages),
            EXPLORER: partial(_folder, EXPLORER, _explorer),
        }.items():
            if (results / name).exists():
                problem = wrong(lambda differs=differs: differs(results, again))
                yield name, problem and problem.replace(folder, str(results))


def _explorer(again: Path) -> None:
    if not (again / MAPPED).exists():
        steps.map_rows(again, slices_in(again))
    steps.explorer(again)


def _folder(name: str, make: Callable[[Path], None], results: Path, again: Path) -> str | None:
    """Which file of a folder is another one."""
    make(again)
    ours, again = results / name, again / name
    files = [{p.relative_to(f) for p in f.rglob("*") if not p.is_dir() and p.name != STAMP} for f in (ours, again)]
    for name in sorted(files[0] | files[1]):
        if name not in files[0] or name not in files[1]:
            return f"{name}: {'missing' if name in files[1] else 'belongs to nothing'}"
        if _content(ours / name) != _content(again / name):
            return f"{name}: is not what the certified tables give"
    return None


def _content(path: Path) -> Any:
    """What a file says, however it is compressed."""
    if path.suffix == ".parquet":
        return pq.ParquetFile(path).read()
    return gzip.decompress(path.read_bytes()) if path.suffix == ".bin" else path.read_bytes()


# --- the mapped rows --------------------------------------------------------------------------------------------------


def _mapped(results: Path, again: Path) -> str | None:
    found = _contents(results)
    slices = [(name, s) for name, (_, said) in found.items() for s in json.loads(said)["certificates"]]
    steps.map_rows(again, slices)
    for name, (files, contents) in _contents(again).items():
        theirs, said = found[name]
        if said != contents:
            return f"{name}: its contents are not what the certified tables give"
        for one, other in zip(theirs, files, strict=True):
            if not cmp(one, other, shallow=False):
                return f"{name}/{one.name}: is not what the certified tables give"
    return None


def _contents(results: Path) -> dict[str, tuple[list[Path], str]]:
    """By table: (its files, all that is said of them but for their names)."""
    found = {}
    for name, digest in mapped_tables(results).items():
        folder = results / MAPPED / name
        Mapped(folder, digest)  # all of them are there
        contents = json.loads((folder / contents_name(digest)).read_bytes())
        files = [file for part in contents["parts"].values() for file in part["files"].values()]
        found[name] = [folder / file.pop("name") for file in files], json.dumps(contents)
    return found


# --- the catalogue ----------------------------------------------------------------------------------------------------

KINDS = ("schemas", "tables", "columns", "constraints", "views", "functions", "indexes", "sequences", "types")
SAID = "COLUMNS(lambda c: c NOT LIKE '%oid' AND c NOT IN ('database_name', 'estimated_size', 'is_bound'))"
"""Of what a database has all that is said, but for its numbers, which are those of a file."""


def _catalogue(results: Path, again: Path) -> str | None:
    """How the catalogue of a folder is another one than that of its certified tables."""
    ours = (results / CATALOG).resolve()
    with duckdb.connect(config=LIMITS | {"autoload_known_extensions": False}) as connection:
        connection.execute(f"ATTACH {quoted(str(ours))} AS ours (READ_ONLY)")
        connection.execute(f"SET VARIABLE dicebase_results = {quoted(f'{again}/')}")
        slices, made_by = _slices(connection)
        audited = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'audit'").fetchone()
        build_catalog(again, slices, store_audit if audited else lambda _: None, made_by)
        connection.execute(f"ATTACH {quoted(str(again / CATALOG))} AS again (READ_ONLY)")
        for kind in KINDS:
            query = f"SELECT {SAID} FROM duckdb_{kind}() WHERE database_name = ?"
            both = [{*map(repr, connection.execute(query, [d]).fetchall())} for d in ("ours", "again")]
            if other := min(both[0] ^ both[1], default=None):
                return f"its {kind} are not what the certified tables give: {other:.100}"
        for schema, table in connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'again'"
        ).fetchall():
            if row := _other_row(connection, f'{schema}."{table}"'):
                return f"row {row} of {schema}.{table} is not that of the certified tables"
    return None


def _slices(connection: duckdb.DuckDBPyConnection) -> tuple[list[SliceName], str | None]:
    """(the slices that the catalogue says it was made from, by which code)."""
    rows = connection.execute('SELECT "table", slice, made_by FROM ours.data.slices').fetchall()
    return [(table, name) for table, name, _ in rows], rows[0][2] if rows else None


def _other_row(connection: duckdb.DuckDBPyConnection, table: str) -> int | None:
    """The first row, from 1, that is another one in the two catalogues."""
    columns = [d[0] for d in connection.execute(f"SELECT * FROM again.{table} LIMIT 0").description]
    differ = " OR ".join(f'x."{name}" IS DISTINCT FROM y."{name}"' for name in columns)
    both = f"ours.{table} AS x POSITIONAL JOIN again.{table} AS y"
    counts = [connection.execute(f"SELECT count(*) FROM {d}.{table}").fetchone()[0] for d in ("ours", "again")]
    (differing,) = connection.execute(f"SELECT count(*) FROM {both} WHERE {differ}").fetchone()
    if not differing and counts[0] == counts[1]:
        return None
    first = f"SELECT min(n) FROM (SELECT row_number() OVER () AS n, {differ} AS other FROM {both}) WHERE other"
    return connection.execute(first).fetchone()[0] or min(counts) + 1
