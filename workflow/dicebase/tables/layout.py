"""Where the files of a results folder lie, and how they are replaced, as a whole: every name is spelled here, and once
more in the rules that make it."""

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
"""The published rows: <folder>/<table>/<slice>.parquet, one kind of file a folder. A slice has states in `tables`, and
`actions` where these are stored; or, of a table of decisions, `values` from which they follow. Matchups have `values`
beside: what each pair of policies earns by position."""

ROW_FOLDERS = (TABLES, ACTIONS, VALUES)
FOLDERS = (*ROW_FOLDERS, CERTIFICATES)

CATALOG, MAPPED = "dicebase.duckdb", "mapped"
"""What readers read: the catalogue, one self-contained file, and rows as arrays."""

DATAPACKAGE, SCHEMAS = "datapackage.json", "schemas"
AUDIT, PICTURES, PAGES, EXPLORER = "audit", "pictures", "pages", "explorer"
LOGS, SITE, REPORT = "logs", "site", "report.html"


@dataclass(frozen=True)
class SliceFiles:
    """Where the files of a slice lie."""

    results: Path
    table: str
    name: str

    def __str__(self) -> str:
        return f"{self.table}/{self.name}"

    def within(self, folder: str) -> Path:
        """Its file in one of the folders."""
        return self.results / folder / self.table / f"{self.name}.parquet"

    @property
    def rows(self) -> Path:
        """The file of its states or, if it has no states, of its values."""
        tables, values = self.within(TABLES), self.within(VALUES)
        return values if values.exists() and not tables.exists() else tables

    @property
    def actions(self) -> Path:
        return self.within(ACTIONS)

    @property
    def beside(self) -> Path:
        """The file beside that of its rows, if there is one: of their actions, or of the values of pairs."""
        values = self.within(VALUES)
        return values if values.exists() and values != self.rows else self.actions

    @property
    def certificate(self) -> Path:
        return self.within(CERTIFICATES)


def slices_in(results: Path, certified: bool = False) -> list[SliceName]:
    """Every slice that has rows, or any file if those are asked for too; raises MissingTableError where there is
    none."""
    folders = FOLDERS if certified else (TABLES, VALUES)
    found = {(f.parent.name, f.stem) for folder in folders for f in (results / folder).glob("*/[!.]*.parquet")}
    if not found:
        raise MissingTableError(f"{results}: has no tables; build them with 'make', or name another folder")
    return sorted(found)


def by_table(slices: Iterable[SliceName]) -> dict[str, list[str]]:
    """The slices of each table, tables in order of their names."""
    found: dict[str, list[str]] = {}
    for table, name in slices:
        found.setdefault(table, []).append(name)
    return dict(sorted(found.items()))


def table_digest(key: Json) -> str:
    """The digest of a table's key, by which its certificate names it."""
    return hashlib.sha256(json.dumps(key, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@contextmanager
def naming(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """Name a file that is written in errors of the operating system: libraries leave its name out if the disk is full,
    or give that of a temporary file."""
    try:
        yield
    except OSError as error:
        if (error.errno in FULL and not error.filename) or (temporary and temporary.name in str(error)):
            error.filename = str(path)
        raise


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """The name of a folder to be made beside `folder`, which takes its place when the block ends well and vanishes
    otherwise; what a killed run left behind is removed."""
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
    """A temporary name beside `path` that becomes `path` when the block ends well, and vanishes otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with naming(path, temporary):
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
