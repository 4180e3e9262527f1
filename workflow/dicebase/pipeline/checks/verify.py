"""Check a results folder against its own certificates, and against the configuration."""

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from dicebase.catalog.lookup import Catalog
from dicebase.catalog.rows.row_arrays import Mapped, mapped_tables
from dicebase.certify.certificate import certificate_rows, checked_key, stored_key
from dicebase.certify.slices import certify_slice
from dicebase.pipeline import configuration
from dicebase.pipeline.checks.compare_copies import compare
from dicebase.pipeline.checks.folder import Finding, listed_slices, verify_files, wrong
from dicebase.pipeline.costs import memory_here
from dicebase.pipeline.plan import Plan, Slice, make_plan
from dicebase.pipeline.processes import Task, results_in_order
from dicebase.tables.layout import CATALOG, DATAPACKAGE, FOLDERS, MAPPED, SliceFiles, SliceName, slices_in, table_digest
from dicebase.tables.names import find_table
from dicebase.tables.parquet import open_parquet, read_slice
from dicebase.vocabulary import MissingTableError
from dicebase.vocabulary.progress import Progress, silent

LEAST_MEMORY, MEMORY_OF_BYTES = 2000, 4
"""The MB of a process that certifies are the larger of LEAST_MEMORY, enough for each slice of config/full.yaml, and
MEMORY_OF_BYTES times the size of the slice's files."""


def verify_tables(results: Path, cores: int | None = None, progress: Progress = silent) -> Iterator[Finding]:
    """Check a results folder, and yield a finding per place; the first table that fails is the last finding.

    Finds missing, foreign and changed files; certifies every table again from the rules and compares the stored
    certificates with the new ones; makes the catalogue, mapped rows, explorer, pages and audit again and compares them.
    `cores` limits the number of processes; by default all cores are used.
    """
    slices = slices_in(results, certified=True)
    yield from verify_files(results)
    listed = listed_slices(results)
    asked = [place for place in slices if listed is None or place in listed]
    sizes = [_megabytes(SliceFiles(results, *place)) for place in slices]
    tasks = [
        Task(partial(_certified, results, place, place in asked), _seconds(SliceFiles(results, *place)))
        for place in slices
    ]
    tasks.append(Task(partial(_compared, results, asked), sum(sizes) / 10))
    at_once = int(memory_here() / max(LEAST_MEMORY, MEMORY_OF_BYTES * max(sizes)))
    for findings in results_in_order(tasks, min(cores or os.cpu_count() or 1, max(at_once, 1)), progress):
        yield from findings
        if any(finding.problem for finding in findings):
            return


def verify_plan(results: Path, config: list[Path]) -> Iterator[Finding]:
    """Compare the keys in the files with those of the plan: find missing, stale and unplanned tables, and stale
    copies."""
    plan = make_plan(configuration.read(config))
    if not results.is_dir():
        raise MissingTableError(f"{results}: does not exist")
    for (table, name), planned in plan.slices.items():
        yield Finding(f"{table}/{name}", wrong(partial(_stale, results, planned)))
    for place in sorted(set(slices_in(results)) - plan.slices.keys()):
        yield Finding("/".join(place), "the configuration does not ask for it")
    if problem := wrong(partial(_made_from_others, plan, _of_mapped_rows, results)):
        yield Finding(MAPPED, problem)
    yield Finding(CATALOG, wrong(partial(_made_from_others, plan, _of_catalogue, results)))


# --- the tasks --------------------------------------------------------------------------------------------------------


def _certified(results: Path, place: SliceName, asked: bool) -> list[Finding]:
    said = "/".join(place) + f", which {DATAPACKAGE} does not list" * (not asked)
    return [Finding(said, wrong(partial(_uncertified, SliceFiles(results, *place))))]


def _uncertified(files: SliceFiles) -> str | None:
    certificates = certify_slice(files, None, None)
    fresh = certificate_rows(certificates, find_table(files.table), json.loads(checked_key(files)))
    return _difference(fresh, open_parquet(files.certificate).read())


def _difference(fresh: pa.Table, stored: pa.Table) -> str | None:
    if len(fresh) != len(stored):
        return f"the certificate has {len(stored)} variants, the table {len(fresh)}"
    if not fresh.schema.equals(stored.schema, check_metadata=True):
        return "the certificate describes other columns"
    for name in fresh.schema.names:
        if stored[name].equals(fresh[name]):
            continue
        pairs = zip(stored[name].to_pylist(), fresh[name].to_pylist(), strict=True)
        for (said, ours), parameters in zip(pairs, fresh["parameters"].to_pylist(), strict=True):
            if said != ours:
                place, said, ours = _narrowed(name, said, ours)
                return f"{parameters}: the certificate gives {place} as {said!s:.200}, the table gives {ours!s:.200}"
    return None


def _narrowed(place: str, said: Any, ours: Any) -> tuple[str, Any, Any]:
    """Return the first part of two values in which they differ, and its place in them."""
    if isinstance(said, dict) and isinstance(ours, dict):
        return next(_narrowed(f"{place}.{n}", said[n], x) for n, x in ours.items() if said[n] != x)
    if isinstance(said, list) and isinstance(ours, list) and len(said) == len(ours):
        pairs = enumerate(zip(said, ours, strict=True))
        return next(_narrowed(f"{place}[{i}]", a, b) for i, (a, b) in pairs if a != b)
    return place, said, ours


def _compared(results: Path, slices: list[SliceName]) -> list[Finding]:
    return [Finding(*found) for found in compare(results, slices)]


def _megabytes(files: SliceFiles) -> float:
    """Return the size of the files of a slice in MB."""
    return sum(path.stat().st_size for path in map(files.within, FOLDERS) if path.exists()) / 10**6


def _seconds(files: SliceFiles) -> float:
    """Estimate the seconds that it takes to certify a slice by the seconds of solving in its certificate."""
    found = []
    wrong(lambda: found.extend(open_parquet(files.certificate).read(["seconds"])["seconds"].to_pylist()))
    return sum(min(max(0.0, seconds), 1e6) for seconds in found if isinstance(seconds, float))


# --- against the plan -------------------------------------------------------------------------------------------------


def _stale(results: Path, planned: Slice) -> str | None:
    files = SliceFiles(results, planned.table.name, planned.name)
    if table_digest(read_slice(files)["key"]) != table_digest(json.loads(planned.key)):
        return "stale: made from other parameters, definitions or code than the plan's"
    if json.loads(stored_key(files.certificate)) != json.loads(planned.certificate_key):
        return "its certificate is stale: made from another table or by another certifier"
    return None


def _of_catalogue(results: Path) -> dict[SliceName, str]:
    """Return the certificate's key of each slice from which the catalogue was made."""
    with Catalog(results) as catalog:
        return {(t, s): key for t, s, key in catalog.rows('SELECT "table", slice, certificate_key FROM data.slices')[1]}


def _of_mapped_rows(results: Path) -> dict[SliceName, str]:
    """Return the certificate's key of each slice from which the mapped rows were made."""
    return {
        (table, name): key
        for table, digest in mapped_tables(results).items()
        for name, key in Mapped(results / MAPPED / table, digest).certificates.items()
    }


def _made_from_others(plan: Plan, made_from: Callable[[Path], dict[SliceName, str]], results: Path) -> str | None:
    found = {place: json.loads(key) for place, key in made_from(results).items()}
    planned = {place: json.loads(piece.certificate_key) for place, piece in plan.slices.items()}
    return None if found == planned else "stale: made from other tables or certificates than the plan's"
