"""Is a results folder what it says it is, and is it what the configuration asks for?"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from dicebase.catalog.datapackage import describe, measured, schema_text
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.row_arrays import Mapped, mapped_tables
from dicebase.certify.certificate import certificate_rows, checked_key, stored_key
from dicebase.certify.slices import certify_slice
from dicebase.pipeline import configuration
from dicebase.pipeline.made_again import STAMP, compare, wrong
from dicebase.pipeline.plan import Plan, Slice, make_plan
from dicebase.tables.layout import (
    CATALOG,
    DATAPACKAGE,
    FOLDERS,
    MAPPED,
    SCHEMAS,
    SliceFiles,
    SliceName,
    slices_in,
    table_digest,
)
from dicebase.tables.names import find_table
from dicebase.tables.parquet import open_parquet, read_slice
from dicebase.vocabulary import Json, MissingTableError

DATA = (*FOLDERS, SCHEMAS)
"""The folders of which every file belongs to the data package; beside them lies what was made on the way."""


class Finding(NamedTuple):
    """What was looked at, and what is wrong with it; nothing where it holds."""

    place: str
    problem: str | None = None


def verify_tables(results: Path) -> Iterator[Finding]:
    """Hold the files against datapackage.json, where there is one; certify every table again from the rules, and hold
    the stored certificates against the new ones; then make again what readers read, and compare. The first table that
    does not hold is the last one looked at."""
    yield from verify_package(results)
    for table, name in slices_in(results, certified=True):
        found = Finding(f"{table}/{name}", wrong(partial(_uncertified, SliceFiles(results, table, name))))
        yield found
        if found.problem:
            return
    yield from (Finding(*found) for found in compare(results))


def verify_plan(results: Path, config: list[Path]) -> Iterator[Finding]:
    """Hold the keys in the files against the plan: tables that are missing, stale or no longer asked for, and what
    readers read."""
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


# --- tables and what readers read -------------------------------------------------------------------------------------


def _uncertified(files: SliceFiles) -> str | None:
    certificates = certify_slice(files, None, None)
    fresh = certificate_rows(certificates, find_table(files.table), json.loads(checked_key(files)))
    return _difference(fresh, open_parquet(files.certificate).read())


def _difference(fresh: pa.Table, stored: pa.Table) -> str | None:
    if len(fresh) != len(stored):
        return f"the certificate has {len(stored)} variants, the table {len(fresh)}"
    if not fresh.schema.equals(stored.schema, check_metadata=True):
        return "the certificate says something else of its columns"
    for name in fresh.schema.names:
        pairs = zip(stored[name].to_pylist(), fresh[name].to_pylist(), strict=True)
        for (said, ours), parameters in zip(pairs, fresh["parameters"].to_pylist(), strict=True):
            if said != ours:
                return f"{parameters}: the certificate says {name} {said}, the table gives {ours}"
    return None


def _stale(results: Path, planned: Slice) -> str | None:
    files = SliceFiles(results, planned.table.name, planned.name)
    if table_digest(read_slice(files)["key"]) != table_digest(json.loads(planned.key)):
        return "stale: made from other parameters, definitions or code than the plan's"
    if json.loads(stored_key(files.certificate)) != json.loads(planned.certificate_key):
        return "its certificate is stale: made from another table or by another certifier"
    return None


def _of_catalogue(results: Path) -> dict[SliceName, str]:
    """The key of the certificate of each slice from which the catalogue was made."""
    with Catalog(results) as catalog:
        return {(t, s): key for t, s, key in catalog.rows('SELECT "table", slice, certificate_key FROM data.slices')[1]}


def _of_mapped_rows(results: Path) -> dict[SliceName, str]:
    """The same of the mapped rows."""
    return {
        (table, name): key
        for table, digest in mapped_tables(results).items()
        for name, key in Mapped(results / MAPPED / table, digest).certificates.items()
    }


def _made_from_others(plan: Plan, made_from: Callable[[Path], dict[SliceName, str]], results: Path) -> str | None:
    found = {place: json.loads(key) for place, key in made_from(results).items()}
    planned = {place: json.loads(piece.certificate_key) for place, piece in plan.slices.items()}
    return None if found == planned else "stale: made from other tables or certificates than the plan's"


# --- the data package -------------------------------------------------------------------------------------------------


def verify_package(results: Path) -> Iterator[Finding]:
    """Hold every file against datapackage.json, and datapackage.json against the files; nothing where there is none."""
    path = results / DATAPACKAGE
    if not path.exists():
        return
    descriptor: Json = {}
    problems: list[Finding] = []

    def look() -> None:
        descriptor.update(json.loads(path.read_text(encoding="utf-8")))
        listed = {r["path"]: r for r in descriptor["resources"]}
        problems.extend([*_changed(results, listed), *_not_listed(results, listed)])

    if problem := wrong(look, "damaged: it is no descriptor of a Data Package"):
        problems = [Finding(DATAPACKAGE, problem)]
    yield from problems or [Finding(DATAPACKAGE, wrong(partial(_said_otherwise, results, descriptor)))]


def _changed(results: Path, listed: Mapping[str, Mapping]) -> Iterator[Finding]:
    for place, said in listed.items():
        file = results / place
        if not file.resolve().is_relative_to(results.resolve()) or not file.is_file():
            yield Finding(place, f"missing: {DATAPACKAGE} lists it")
            continue
        size = file.stat().st_size
        if size != said.get("bytes"):
            yield Finding(place, f"changed: it has {size} bytes, {DATAPACKAGE} says {said.get('bytes')}")
        elif measured(file)["hash"] != said.get("hash"):
            yield Finding(place, f"changed: its sha256 is not that in {DATAPACKAGE}")


def _not_listed(results: Path, listed: Mapping[str, Mapping]) -> Iterator[Finding]:
    known = {*listed, *(r["schema"] for r in listed.values() if isinstance(r.get("schema"), str))}
    found = [p for folder in DATA for p in (results / folder).rglob("*") if not p.is_dir() and p.name != STAMP]
    for file in sorted([*found, *(results / name for name in [CATALOG] if (results / name).exists())]):
        if (place := file.relative_to(results).as_posix()) not in known:
            yield Finding(place, f"not listed in {DATAPACKAGE}")


def _said_otherwise(results: Path, descriptor: Json) -> str | None:
    """What the descriptor or a schema says that the files, described again, do not."""
    places = (Path(r["path"]).with_suffix("").parts for r in descriptor["resources"] if r["path"].endswith(".parquet"))
    ours, schemas = describe(results, sorted({place[1:3] for place in places if place[0] in FOLDERS}))
    for place, schema in schemas.items():
        file = results / place
        if not file.is_file():
            return f"{place} is missing"
        if file.read_text(encoding="utf-8") != schema_text(schema):
            return f"{place} does not say what the files say"
    theirs = {r["path"]: r for r in descriptor["resources"]}
    for r in ours["resources"]:
        if theirs.get(r["path"]) != r:
            differing = [key for key in r if theirs.get(r["path"], {}).get(key) != r[key]]
            return f"{r['path']}: the descriptor says another {', '.join(differing) or 'thing'} than the file"
    if descriptor != ours:
        differing = sorted(key for key in {*ours, *descriptor} if ours.get(key) != descriptor.get(key))
        return f"it says another {', '.join(differing)} than dicebase would"
    return None
