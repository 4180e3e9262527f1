"""Make every copy of the certified tables again and compare it with the one in the results folder: the catalogue row by
row, with its views, macros and comments; the mapped rows, the audit, the pages and the explorer byte by byte.

The new copies go to a temporary folder (TMPDIR) and need as much disk as the old ones. Pictures are not compared,
because the same rows look different in other fonts.
"""

import zlib
from collections.abc import Callable, Iterable
from filecmp import cmp
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow.parquet as pq

from dicebase.audit.store import store_audit
from dicebase.catalog.rows.row_arrays import Mapped, mapped_tables
from dicebase.catalog.sql.build import build_catalog
from dicebase.catalog.sql.queries import quoted
from dicebase.catalog.sql.table_views import LIMITS
from dicebase.pipeline import steps
from dicebase.pipeline.checks.folder import FOREIGN, MISSING, is_stamp, wrong
from dicebase.tables.layout import AUDIT, CATALOG, EXPLORER, FOLDERS, MAPPED, PAGES, SliceName

GZIP = b"\x1f\x8b"
"""The first bytes of the explorer's blocks."""


def compare(results: Path, slices: list[SliceName]) -> list[tuple[str, str | None]]:
    """Make the copies of these certified slices again; return (name, difference or None) for each copy that the folder
    has."""
    found = []
    with TemporaryDirectory(prefix="dicebase-") as folder:
        again = Path(folder)
        for name in FOLDERS:
            (again / name).symlink_to((results / name).resolve())
        for name, differs in {
            CATALOG: partial(_catalogue, slices=slices),
            MAPPED: partial(_mapped, slices=slices),
            AUDIT: partial(_folder, name=AUDIT, make=steps.audit, slices=slices),
            PAGES: partial(_folder, name=PAGES, make=steps.pages, slices=slices),
            EXPLORER: partial(_folder, name=EXPLORER, make=steps.explorer, slices=slices),
        }.items():
            if (results / name).exists():
                problem = wrong(partial(differs, results, again))
                found.append((name, problem and problem.replace(folder, str(results))))
    return found


def _other_slices(theirs: Iterable[SliceName], slices: list[SliceName]) -> str | None:
    """Return how the slices of a copy differ from the certified ones; None if they are the same."""
    if differing := min(set(theirs) ^ set(slices), default=None):
        what = "lacks {}, which is certified" if differing in slices else "has {}, which should not be there"
        return what.format("/".join(differing))
    return None


def _folder(results: Path, again: Path, name: str, make: Callable[[Path], None], slices: list[SliceName]) -> str | None:
    """Return the first file of a folder that differs from what `make` writes; None if all are the same."""
    if not (again / CATALOG).exists():
        steps.catalog(again, slices)
    if not (again / MAPPED).exists():
        steps.map_rows(again, slices)
    make(again)
    ours, again = results / name, again / name
    files = [{p.relative_to(f) for p in f.rglob("*") if not (p.is_dir() or is_stamp(p))} for f in (ours, again)]
    for name in sorted(files[0] | files[1]):
        if name not in files[0] or name not in files[1]:
            return f"{name}: {MISSING if name in files[1] else FOREIGN}"
        if not cmp(ours / name, again / name, shallow=False) and _content(ours / name) != _content(again / name):
            return f"{name}: is not what the certified tables give"
    return None


def _content(path: Path) -> Any:
    """Return a file's content. A block is decompressed, because versions of zlib differ; bytes after its first gzip
    member, which browsers do not read, count as a difference."""
    if path.suffix == ".parquet":
        table = pq.ParquetFile(path).read()
        return table, table.schema.to_string(truncate_metadata=False)
    content = path.read_bytes()
    if content.startswith(GZIP):
        member = zlib.decompressobj(wbits=31)
        return member.decompress(content), member.eof, member.unused_data, content[:9]
    return content


def _mapped(results: Path, again: Path, slices: list[SliceName]) -> str | None:
    """Return how the mapped rows differ from those of the certified tables; None if they are equal."""
    found = {name: Mapped(results / MAPPED / name, digest) for name, digest in mapped_tables(results).items()}
    if problem := _other_slices([(name, s) for name, of in found.items() for s in of.certificates], slices):
        return problem
    return _folder(results, again, MAPPED, lambda _: None, slices)


# --- the catalogue ----------------------------------------------------------------------------------------------------

KINDS = ("schemas", "tables", "columns", "constraints", "views", "functions", "indexes", "sequences", "types")
SAID = "COLUMNS(lambda c: c NOT LIKE '%oid' AND c NOT IN ('database_name', 'estimated_size', 'is_bound'))"
"""The columns of DuckDB's metadata, except those that depend on the file."""


def _catalogue(results: Path, again: Path, slices: list[SliceName]) -> str | None:
    """Return how the catalogue differs from one built from the certified tables; None if they are equal."""
    ours = (results / CATALOG).resolve()
    with duckdb.connect(config=LIMITS | {"autoload_known_extensions": False}) as connection:
        connection.execute(f"ATTACH {quoted(str(ours))} AS ours (READ_ONLY)")
        connection.execute(f"SET VARIABLE dicebase_results = {quoted(f'{again}/')}")
        theirs = connection.execute('SELECT "table", slice FROM ours.data.slices').fetchall()
        if problem := _other_slices(theirs, slices):
            return problem
        audited = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'audit'").fetchone()
        build_catalog(again, slices, store_audit if audited else lambda _: None)
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


def _other_row(connection: duckdb.DuckDBPyConnection, table: str) -> int | None:
    """Return the number, from 1, of the first row that differs between the two catalogues; None if none does."""
    columns = [d[0] for d in connection.execute(f"SELECT * FROM again.{table} LIMIT 0").description]
    differ = " OR ".join(f'x."{name}" IS DISTINCT FROM y."{name}"' for name in columns)
    both = f"ours.{table} AS x POSITIONAL JOIN again.{table} AS y"
    # A row that only one catalogue has is paired with NULLs.
    query = f"SELECT min(coalesce(x.rowid, y.rowid)) + 1 FROM {both} WHERE {differ} OR x.rowid IS DISTINCT FROM y.rowid"
    return connection.execute(query).fetchone()[0]
