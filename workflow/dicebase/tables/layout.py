"""Where the files of a results folder lie, and how they are replaced, as a whole: every name is spelled here, and once
more in the rules that make it."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dicebase.vocabulary import MissingTableError

SliceName = tuple[str, str]
"""(table, slice)."""

TABLES, CERTIFICATES = "tables", "certificates"
"""The published rows, tables/<table>/<slice>/*.parquet, and certificates/<table>/<slice>.parquet."""

CATALOG, MAPPED = "dicebase.duckdb", "mapped"
"""What readers read: the catalogue, one self-contained file, and rows as arrays."""

DATAPACKAGE, SCHEMAS = "datapackage.json", "schemas"
AUDIT, PICTURES, PAGES, EXPLORER = "audit", "pictures", "pages", "explorer"


def files(results: Path | str, table: str, name: str) -> tuple[Path, Path]:
    """Where a slice lives: (the folder of its states and actions, its certificate)."""
    root = Path(results)
    return root / TABLES / table / name, root / CERTIFICATES / table / f"{name}.parquet"


def slices_in(results: Path, certified: bool = False) -> list[SliceName]:
    """Every slice that has a folder, or a certificate if those are asked for too; raises MissingTableError where there
    is none."""
    found = {(f.parent.name, f.name) for f in (results / TABLES).glob("*/*") if f.is_dir()}
    if certified:
        found |= {(f.parent.name, f.stem) for f in (results / CERTIFICATES).glob("*/[!.]*.parquet")}
    if not found:
        raise MissingTableError(f"{results}: has no tables; build them with 'make', or name another folder")
    return sorted(found)


def by_table(slices: Iterable[SliceName]) -> dict[str, list[str]]:
    """The slices of each table, tables in order of their names."""
    found: dict[str, list[str]] = {}
    for table, name in slices:
        found.setdefault(table, []).append(name)
    return dict(sorted(found.items()))


def table_digest(key: Mapping[str, Any]) -> str:
    """The digest of a table's key, by which its certificate names it."""
    return hashlib.sha256(json.dumps(key, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """The name of a folder to be made beside `folder`, which takes its place when the block ends well and vanishes
    otherwise; what a killed run left behind is removed."""
    temporary, old = (folder.with_name(f".{folder.name}.{end}") for end in ("part", "old"))
    for path in (temporary, old):
        shutil.rmtree(path, ignore_errors=True)
    try:
        yield temporary
        if folder.exists():
            os.rename(folder, old)
        os.rename(temporary, folder)
    finally:
        for path in (temporary, old):
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary name beside `path` that becomes `path` when the block ends well, and vanishes otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
