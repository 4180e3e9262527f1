"""Is a results folder what it says it is, and is it what the configuration asks for?"""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from dicebase.catalog.datapackage import verify_package
from dicebase.catalog.lookup import open_catalog
from dicebase.catalog.row_arrays import FOLDER, TABLES, Mapped, mapped_tables
from dicebase.certify.slices import certify_slice
from dicebase.pipeline import configuration
from dicebase.pipeline.plan import Plan, Slice, make_plan
from dicebase.tables.layout import CATALOG, files, table_digest
from dicebase.tables.parquet import check_pair, open_parquet
from dicebase.vocabulary.errors import DicebaseError, MissingTableError

Finding = tuple[str, str | None]
"""(what was looked at, what is wrong with it or None)."""


def slices_in(results: Path, certified: bool = False) -> list[tuple[str, str]]:
    """The (table, slice) of every slice folder, and of every certificate if asked for; raises MissingTableError
    where there is none."""
    found = {(f.parent.name, f.name) for f in (results / "tables").glob("*/*") if f.is_dir()}
    if certified:
        found |= {(f.parent.name, f.stem) for f in (results / "certificates").glob("*/[!.]*.parquet")}
    if not found:
        raise MissingTableError(f"{results}: has no tables; build them with 'make', or name another folder")
    return sorted(found)


def verify_tables(results: Path) -> Iterator[Finding]:
    """Hold the files against datapackage.json, where there is one, and the mapped rows against their digests; then
    certify every table again from the rules, and hold the stored certificates against the new ones. The first table
    that does not hold is the last one looked at."""
    yield from verify_package(results)
    yield from _mapped(results)
    for table, name in slices_in(results, certified=True):
        folder, certificate = files(results, table, name)
        place = f"{table}/{name}"
        if problem := _uncertified(folder, certificate):
            yield place, problem
            return
        yield place, None


def _uncertified(folder: Path, certificate: Path) -> str | None:
    try:
        fresh = certify_slice(folder, None, None)
        return _difference(fresh, open_parquet(certificate).read().to_pylist())
    except DicebaseError as error:
        return str(error)
    except (pa.ArrowException, OSError) as error:
        return f"damaged: {str(error).splitlines()[0]}"


def _mapped(results: Path) -> Iterator[Finding]:
    """The files of the mapped rows that are not what was written; nothing where there are none."""
    tables = mapped_tables(results) if (results / FOLDER / TABLES).exists() else {}
    for name, digest in tables.items():
        try:
            problems = [part.damage() for part in Mapped(results / FOLDER / name, digest).parts.values()]
        except DicebaseError as error:
            problems = [str(error)]
        yield from ((f"{FOLDER}/{name}", problem) for problem in problems if problem)


def _difference(fresh: list, stored: list) -> str | None:
    claims = {row["parameters"]: row for row in stored}
    if len(claims) != len(fresh):
        return f"the certificate has {len(claims)} variants, the table {len(fresh)}"
    for certificate in fresh:
        row = claims.get(json.dumps(certificate.parameters))
        if row is None:
            return f"no certificate for {certificate.parameters}"
        for name in ("value", "error_bound", "exact", "continuation", "states", "actions", "simulated", "games"):
            if row[name] != (ours := getattr(certificate, name)):
                return f"{certificate.parameters}: the certificate says {name} {row[name]}, the table gives {ours}"
    return None


def verify_plan(results: Path, config: list[Path]) -> Iterator[Finding]:
    """Hold the keys in the files against the plan: tables that are missing, stale or no longer asked for, and the
    catalogue."""
    plan = make_plan(configuration.read(config))
    if not results.is_dir():
        raise MissingTableError(f"{results}: does not exist")
    for (table, name), planned in plan.slices.items():
        yield f"{table}/{name}", _stale(results, planned)
    folders = (f for f in (results / "tables").glob("*/*") if f.is_dir())
    for folder in sorted(f for f in folders if (f.parent.name, f.name) not in plan.slices):
        yield f"{folder.parent.name}/{folder.name}", "the configuration does not ask for it"
    yield CATALOG, _stale_catalog(results, plan)


def _stale(results: Path, planned: Slice) -> str | None:
    folder, certificate = files(results, planned.table.name, planned.name)
    try:
        if table_digest(check_pair(folder)["key"]) != table_digest(json.loads(planned.key)):
            return "stale: made from other parameters, definitions or code than the plan's"
        stored = (open_parquet(certificate).schema_arrow.metadata or {}).get(b"dicebase.key", b"null")
        if json.loads(stored) != json.loads(planned.certificate_key):
            return "its certificate is stale: made from another table or by another certifier"
    except DicebaseError as error:
        return str(error)
    return None


def _stale_catalog(results: Path, plan: Plan) -> str | None:
    try:
        with open_catalog(results) as catalog:
            rows = catalog.rows('SELECT "table", slice, certificate_key FROM data.slices')[1]
        mapped = [
            (table, name, key)
            for table, digest in mapped_tables(results).items()
            for name, key in Mapped(results / FOLDER / table, digest).certificates.items()
        ]
    except DicebaseError as error:
        return str(error)
    expected = {place: json.loads(planned.certificate_key) for place, planned in plan.slices.items()}
    if any(expected != {(table, name): json.loads(key) for table, name, key in kept} for kept in (rows, mapped)):
        return "stale: made from other tables or certificates than the plan's"
    return None
