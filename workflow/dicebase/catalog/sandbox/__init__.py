"""Run untrusted SQL in a separate process, and lock the settings of connections."""

from glob import escape
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

LOCKED = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""DuckDB settings for `lock`, which are set when the catalogue is opened. Opening it read-only is not enough: COPY and
ATTACH still reach other files."""

FILES_READ = r"""
    SELECT unnest(regexp_extract_all(sql, 'results_folder\(\) \|\| ''([^'']+)''', 1))
    FROM duckdb_views() WHERE schema_name = 'data'
"""
"""The files that views read in place, relative to the results folder."""


_one = Lock()  # connections of one process to one file share its settings


def lock(connection: "duckdb.DuckDBPyConnection", path: Path) -> None:
    """Let a connection to the catalogue at `path` reach only that file and the tables' files that its views read in
    place. DuckDB would also write to an allowed path, so the caller must refuse COPY and EXPORT."""
    folder = f"{path.parent}/"
    connection.execute("SET VARIABLE dicebase_results = ?", [folder])
    there = [name for (name,) in connection.execute(FILES_READ).fetchall()]
    # DuckDB compares paths before it expands patterns, in which the brackets of a folder's name are escaped.
    allowed = [start + name for start in dict.fromkeys((folder, escape(folder))) for name in there]
    with _one:
        ((locked,),) = connection.execute("SELECT current_setting('lock_configuration')").fetchall()
        if not locked:
            connection.execute("SET parquet_metadata_cache = true")  # otherwise each query parses the footers again
            connection.execute("SET allowed_paths = ?", [allowed])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
