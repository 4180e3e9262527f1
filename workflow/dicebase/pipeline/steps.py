"""The steps of a build, one function each. The workflow's jobs, `dicebase solve`, tests and benchmarks call them.

    step            reads                            writes
    solve           the rules of a slice             tables/<table>/<slice>.parquet (or values/), actions/
    certify         these files and the rules        certificates/<table>/<slice>.parquet
    catalog         tables and certificates          dicebase.duckdb, the table `audit` in it
    map_rows        tables and certificates          mapped/
    datapackage     these and the catalogue          datapackage.json, schemas/
    audit           the catalogue                    audit/
    pages           the catalogue, mapped rows       pages/
    report          the catalogue, mapped rows       pictures/, pages/
    explorer        mapped rows                      explorer/

A step imports what it needs when it runs, so a job that solves loads neither the database nor the planner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from dicebase.tables.layout import SliceFiles, SliceName
from dicebase.vocabulary.arithmetic.garbage_collection import return_memory

if TYPE_CHECKING:
    from dicebase.pipeline.plan import Plan


def solve(results: Path, key: str) -> None:
    """Solve the slice whose Slice.key is `key`."""
    from dicebase.tabulate.slices import solve_slice

    content = json.loads(key)
    solve_slice(content, SliceFiles(results, content["table"], content["slice"]))
    return_memory()


def certify(results: Path, table: str, name: str, key: str) -> None:
    """Certify a solved slice; `key` is its Slice.certificate_key."""
    from dicebase.certify.slices import certify_slice

    files = SliceFiles(results, table, name)
    certify_slice(files, files.certificate, json.loads(key))


def catalog(results: Path, slices: Iterable[SliceName]) -> None:
    from dicebase.audit.store import store_audit
    from dicebase.catalog.sql.build import build_catalog

    build_catalog(results, slices, store_audit)


def map_rows(results: Path, slices: Iterable[SliceName]) -> None:
    from dicebase.catalog.rows.row_arrays_writer import write_mapped

    write_mapped(results, slices)
    return_memory()


def datapackage(results: Path, slices: Iterable[SliceName]) -> None:
    from dicebase.catalog.datapackage import write_datapackage
    from dicebase.environments.versions import check_versions

    slices = list(slices)
    check_versions(results, slices)
    write_datapackage(results, slices)


def audit(results: Path) -> None:
    from dicebase.audit.page import write_audit

    write_audit(results)


def pages(results: Path) -> None:
    from dicebase.show.report import write_pages

    write_pages(results)


def report(results: Path) -> None:
    from dicebase.show.report import write_report

    write_report(results)


def explorer(results: Path) -> None:
    from dicebase.show.explorer.site import write_explorer

    write_explorer(results)


def build(results: Path, plan: Plan) -> None:
    """Make everything that `dicebase solve` makes, in this process."""
    for (table, name), piece in plan.slices.items():
        solve(results, piece.key)
        certify(results, table, name, piece.certificate_key)
    catalog(results, plan.slices)
    map_rows(results, plan.slices)
    explorer(results)
