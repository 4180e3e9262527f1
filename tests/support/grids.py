"""Small grids, solved in this process within a second or two, once a test run."""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from dicebase.certify.slices import certify_slice
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_plan, make_slice
from dicebase.tables.layout import ACTIONS, CERTIFICATES, TABLES, VALUES, SliceFiles
from dicebase.tables.names import Table, Variant, find_table
from dicebase.vocabulary import ROWS
from support.commands import ROOT
from support.shared_slices import once as made_once
from support.shared_slices import shared

DEFAULT = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
"""The default configuration; to be read only."""

CROCCE_MORDECKI = """
definitions:
  ten_thousand:
    rules:
      crocce_mordecki:
        dice: 5
        combinations: {"1": 100, "5": 50, "111": 1000, "222": 200, "333": 300, "444": 400, "555": 500, "666": 600}
"""

CONFIG = """
definitions:
  ten_thousand:
    rules:
      pocket:
        dice: 3
        combinations: {"1": 100, "5": 50, "11": 300}

tables:
  pig_turn:
    - {sides: [2, 4, 6], dice: [1, 2], slice_by: [dice]}
  forbidden_multiple_turn:
    - {multiple: {from: 4, to: 10, step: 3}, slice_by: []}
  ten_thousand_turn:
    - {rules: pocket, moves: [stop_roll, all]}
"""

SMALLER = """
tables:
  pig_turn:
    - {sides: [2, 4], slice_by: []}
  forbidden_multiple_turn:
    - {multiple: 3, sides: 5, slice_by: []}
"""


def build(results: Path, config: str = CONFIG) -> Path:
    """Solve, certify and catalogue a configuration in this process."""
    steps.build(results, make_plan(yaml.safe_load(config)))
    return results


def build_shared(results: Path, config: str) -> Path:
    """Build a configuration whose slices other tests build too; each slice is solved and certified once a test run."""
    with shared():
        return build(results, config)


def solved(table: Table, variants: list[Variant], results: Path, definitions: Mapping, store: str = ROWS) -> SliceFiles:
    """Solve a slice of these variants into a results folder of its own."""
    steps.solve(results, make_slice(table, "all", variants, definitions, store).key)
    return SliceFiles(results, table.name, "all")


def copied(files: SliceFiles, results: Path) -> SliceFiles:
    """Copy a slice into another results folder, where a test may damage it."""
    return replace(files, results=shutil.copytree(files.results, results))


def there(files: SliceFiles) -> list[Path]:
    """The files of a slice that exist."""
    return [path for folder in (TABLES, ACTIONS, VALUES, CERTIFICATES) if (path := files.within(folder)).exists()]


def certified(name: str, given: dict, results: Path, definitions: dict) -> tuple[SliceFiles, list]:
    """Solve and certify one variant in a results folder of its own; return (its files, its certificates)."""
    table = find_table(name)
    files = solved(table, [table.variant(given, definitions, name)], results, definitions)
    return files, certify_slice(files, None, None)


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills once for all workers of a test run, to be read only."""
    place = run_folder(factory) / f"once_{name}"
    with made_once(place) as new:
        if new:
            shutil.rmtree(place / "folder", ignore_errors=True)
            (place / "folder").mkdir()
            make(place / "folder")
    return place / "folder"


def of(name: str, config: str) -> Callable[[pytest.TempPathFactory], Path]:
    """The function that returns the results of a configuration, built once for all workers of a test run."""
    return lambda factory: once(factory, name, lambda folder: build_shared(folder / "results", config)) / "results"


def run_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder of a test run, shared by its workers."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def rows(results: Path) -> dict[str, list[dict]]:
    """{path: rows} of every Parquet file below a folder, without the times of solving."""
    found = {}
    for path in sorted(results.rglob("*.parquet")):
        if not path.name.startswith("."):
            table = pq.ParquetFile(path).read()
            kept = [name for name in table.column_names if name != "seconds"]
            found[str(path.relative_to(results))] = table.select(kept).to_pylist()
    return found
