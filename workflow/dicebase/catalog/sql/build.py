"""Build the catalogue: every planned table in one self-contained DuckDB file. docs/use/sql.md lists its views and
macros.

The schema `data` has the sorted rows as native tables. Tables of more than IN_PLACE bytes are not copied: they are
views over the published files in the results folder. `results_folder()` finds that folder from DuckDB's temporary
directory, which by default is beside the opened file. If you attach the catalogue to another database or move the
temporary directory, set the variable dicebase_results to the folder.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa

from dicebase.catalog.sql.compare import FIELDS as COMPARED
from dicebase.catalog.sql.compare import store_comparison
from dicebase.catalog.sql.queries import queries, quoted
from dicebase.catalog.sql.table_views import LIMITS, add_paper, add_table, is_in_place, rows_of, view
from dicebase.certify.certificate import FIELDS, VARIANT_FIELDS, checked_key
from dicebase.tables.layout import CATALOG, SliceFiles, SliceName, by_table, replacing
from dicebase.tables.names import find_table
from dicebase.tables.parquet import field
from dicebase.vocabulary import DicebaseError
from dicebase.vocabulary.failures import FULL

# The storage version lets older clients open the file. A lookup scans one row group, so row groups are small; small
# blocks waste little space on them.
STORAGE = "STORAGE_VERSION 'v1.2.0', ROW_GROUP_SIZE 16384, BLOCK_SIZE 65536"


def build_catalog(
    results: Path | str,
    slices: Iterable[SliceName],
    finish: Callable[[duckdb.DuckDBPyConnection], None] = lambda _: None,
) -> Path:
    """Build results/dicebase.duckdb from exactly these slices; return its path. `finish` may add to the catalogue
    before the file gets its final name. Raises DicebaseError if the catalogue cannot be built."""
    results = Path(results)
    path, tables = results.absolute() / CATALOG, by_table(slices)
    keys = {name: {s: checked_key(SliceFiles(results, name, s)) for s in of} for name, of in tables.items()}
    with replacing(path) as temporary:
        # A killed run may have left files with these names, because process numbers are reused.
        for left in (temporary, log := Path(f"{temporary}.wal")):
            left.unlink(missing_ok=True)
        settings = LIMITS | {"temp_directory": str(temporary.with_suffix(".spill"))}
        try:
            with duckdb.connect(config=settings) as connection:
                connection.execute(f"ATTACH {quoted(str(temporary))} AS built ({STORAGE}); USE built")
                connection.execute("CREATE SCHEMA data")
                connection.execute(queries().sorted_dice())
                connection.execute(queries().results_folder())
                _add_certificates(connection, results, keys)
                for name, of in keys.items():
                    table = find_table(name)
                    fields = add_table(connection, table, [SliceFiles(results, name, s) for s in of])
                    add_paper(connection, table, fields)
                store_comparison(connection, keys)
                compared = "SELECT * FROM data.compare", "rule sets of one game side by side", COMPARED
                view(connection, "compare", *compared)
                finish(connection)
                connection.execute("CHECKPOINT")  # unlike closing, it raises an error if the disk is full
        except duckdb.Error as error:
            full = next((said for number, said in FULL.items() if os.strerror(number) in str(error)), "")
            raise DicebaseError(f"{path}: {full or f'cannot be built: {str(error).splitlines()[0]}'}") from error
        finally:
            log.unlink(missing_ok=True)
    return path


def _add_certificates(
    connection: duckdb.DuckDBPyConnection, results: Path, keys: Mapping[str, Mapping[str, str]]
) -> None:
    """Create data.certificates, data.slices and the view `tables`."""
    slices = [(name, s, key) for name, of in keys.items() for s, key in of.items()]
    source = rows_of((SliceFiles(results, name, s).certificate for name, s, *_ in slices), "union_by_name = true")
    columns = ", ".join(f'"{f.name}"' for f in FIELDS)
    connection.execute(f'CREATE TABLE data.certificates AS SELECT {columns} FROM {source} ORDER BY "table", parameters')
    connection.execute('CREATE TABLE data.slices ("table" VARCHAR, slice VARCHAR, certificate_key VARCHAR)')
    connection.executemany("INSERT INTO data.slices VALUES (?, ?, ?)", slices)
    large = [name for name, of in keys.items() if is_in_place(SliceFiles(results, name, s) for s in of)]
    columns = ", ".join(f'"{column}" AS "{name}"' for column, name in VARIANT_FIELDS.items())
    query = f'SELECT {columns}, "table" IN ({", ".join(map(quoted, large)) or "NULL"}) IS TRUE AS in_place'
    shown = [f.with_name(VARIANT_FIELDS[f.name]) for f in FIELDS if f.name in VARIANT_FIELDS]
    where = "whether the rows are in files next to the catalogue, not in the catalogue itself"
    shown.append(field("in_place", pa.bool_(), where))
    view(connection, "tables", f"{query} FROM data.certificates", "solved variants, one row per variant", shown)
