"""The layout of a results folder, and the atomic replacement of its files and folders. All paths are defined here, and
a second time in the rules that make the files."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dicebase.vocabulary import Json, MissingTableError
from dicebase.vocabulary.failures import FULL

SliceName = tuple[str, str]
"""(table, slice)."""

TABLES, ACTIONS, VALUES, CERTIFICATES = "tables", "actions", "values", "certificates"
"""Folders of rows: <folder>/<table>/<slice>.parquet. A slice has states in `tables`, with stored `actions` beside them,
or only `values`, from which decisions follow. Matchups have states in `tables`, and in `values` the value of each pair
of policies by position."""

ROW_FOLDERS = (TABLES, ACTIONS, VALUES)
FOLDERS = (*ROW_FOLDERS, CERTIFICATES)

CATALOG, MAPPED = "dicebase.duckdb", "mapped"
"""The outputs that readers open: the catalogue, one self-contained file, and rows as memory-mapped arrays."""

DATAPACKAGE, SCHEMAS = "datapackage.json", "schemas"
AUDIT, PICTURES, PAGES, EXPLORER = "audit", "pictures", "pages", "explorer"
LOGS, SITE, REPORT = "logs", "site", "report.html"


@dataclass(frozen=True)
class SliceFiles:
    """The files of a slice."""

    results: Path
    table: str
    name: str

    def __str__(self) -> str:
        return f"{self.table}/{self.name}"

    def within(self, folder: str) -> Path:
        """The slice's file in one of the folders."""
        return self.results / folder / self.table / f"{self.name}.parquet"

    @property
    def rows(self) -> Path:
        """The file of its states or, if there are none, of its values."""
        tables, values = self.within(TABLES), self.within(VALUES)
        return values if values.exists() and not tables.exists() else tables

    @property
    def actions(self) -> Path:
        return self.within(ACTIONS)

    @property
    def beside(self) -> Path:
        """The second file, if there is one: actions of the rows, or values of pairs of policies."""
        values = self.within(VALUES)
        return values if values.exists() and values != self.rows else self.actions

    @property
    def certificate(self) -> Path:
        return self.within(CERTIFICATES)


def slices_in(results: Path, certified: bool = False) -> list[SliceName]:
    """Return the slices with rows, or with any file if `certified`; raises MissingTableError if there are none."""
    folders = FOLDERS if certified else (TABLES, VALUES)
    found = {(f.parent.name, f.stem) for folder in folders for f in (results / folder).glob("*/[!.]*.parquet")}
    if not found:
        raise MissingTableError(f"{results}: has no tables; build them with 'make', or name another folder")
    return sorted(found)


def by_table(slices: Iterable[SliceName]) -> dict[str, list[str]]:
    """Group slices by table, in order of table names."""
    found: dict[str, list[str]] = {}
    for table, name in slices:
        found.setdefault(table, []).append(name)
    return dict(sorted(found.items()))


def table_digest(key: Json) -> str:
    """The digest of a table's key; its certificate refers to it."""
    return hashlib.sha256(json.dumps(key, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextmanager
def naming(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """Add the name of the file being written to an OSError; libraries omit it, or name a temporary file."""
    try:
        yield
    except OSError as error:
        if (error.errno in FULL and not error.filename) or (temporary and temporary.name in str(error)):
            error.filename = str(path)
        raise


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """Yield the name of a folder to make beside `folder`. It replaces `folder` if the block succeeds and is removed
    otherwise; leftovers of a killed run are removed too."""
    import shutil

    temporary, old = (folder.with_name(f".{folder.name}.{end}") for end in ("part", "old"))
    for path in (temporary, old):
        shutil.rmtree(path, ignore_errors=True)
    try:
        with naming(folder, temporary):
            yield temporary
            if folder.exists():
                os.rename(folder, old)
            os.rename(temporary, folder)
    finally:
        for path in (temporary, old):
            shutil.rmtree(path, ignore_errors=True)


UNFINISHED = re.compile(r"\..+\.\d+\.(part|part\.wal|spill)")
"""Names of files that a killed run leaves: those of `replacing`, and DuckDB's files beside them."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; the file replaces `path` if the block succeeds and is removed otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with naming(path, temporary):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
