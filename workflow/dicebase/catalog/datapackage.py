"""The published files as data: `datapackage.json`, a Data Package (https://datapackage.org) of every Parquet file and
the catalogue, with the size and the sha256 of each.

    datapackage.json              a resource a file: title, sources, size, hash
    schemas/<table>-<kind>.json   the columns that many files share: type, description, unit, primary key

The descriptor says nothing that the files do not say, so that it can be checked by describing them again.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Any

import pyarrow as pa

from dicebase.tables.atomic import replacing
from dicebase.tables.layout import CATALOG, files
from dicebase.tables.parquet import open_parquet, read_footer
from dicebase.tables.schemas import ACTIONS, STATES
from dicebase.vocabulary.errors import DicebaseError

NAME, SCHEMAS = "datapackage.json", "schemas"

DATA = ("tables", "certificates", SCHEMAS)
"""The folders of which every file belongs to the package; beside them lies what was made on the way."""

STAMP = ".snakemake_timestamp"
"""What Snakemake leaves in a folder that is the output of a rule."""

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
LICENCE = {"name": "MIT", "title": "MIT License", "path": "https://opensource.org/license/mit"}
TYPES = {"int32": "integer", "int64": "integer", "double": "number", "string": "string", "bool": "boolean"}
PLACED = ("name", "type", "description", "unit", "constraints")

Problem = tuple[str, str | None]
"""(file, what is wrong with it or None)."""


def write_datapackage(results: Path | str, slices: Iterable[tuple[str, str]]) -> Path:
    """Describe the files of these (table, slice) and the catalogue; returns the path of datapackage.json.

    Raises DamagedFileError that names a file that is missing or cannot be read. The same files give the same bytes.
    """
    results = Path(results)
    path = results / NAME
    descriptor, schemas = describe(results, slices)
    # Without the descriptor there is no package: what a killed run leaves is not taken for one.
    path.unlink(missing_ok=True)
    shutil.rmtree(results / SCHEMAS, ignore_errors=True)
    for name, schema in schemas.items():
        with replacing(results / name) as temporary:
            temporary.write_text(_schema_text(schema), encoding="utf-8")
    with replacing(path) as temporary:
        temporary.write_text(descriptor_text(descriptor), encoding="utf-8")
    return path


def describe(results: Path, slices: Iterable[tuple[str, str]]) -> tuple[dict[str, Any], dict[str, dict]]:
    """(the descriptor, {path: schema}) of the files of these slices and the catalogue, in the order of their paths."""
    schemas: dict[str, dict] = {}
    resources = [
        _resource(results, path, kind, schemas)
        for table, name in sorted(slices)
        for path, kind in _planned(results, table, name)
    ]
    if (results / CATALOG).is_file():
        resources.append(
            {
                "name": "catalogue",
                "path": CATALOG,
                "title": "All of the tables in one DuckDB file, with views, macros and comments",
                "format": "duckdb",
                "mediatype": "application/vnd.duckdb",
                **_measured(results / CATALOG),
            }
        )
    descriptor = {
        "$schema": PROFILE,
        "name": "dicebase",
        "title": "dicebase: a tablebase for games of dice",
        "description": "Values of positions, best actions and what every other action costs, with certificates.",
        "version": version("dicebase"),
        "licenses": [LICENCE],
        "contributors": [{"title": "The dicebase authors", "roles": ["author"]}],
        "resources": resources,
    }
    return descriptor, schemas


def _planned(results: Path, table: str, name: str) -> list[tuple[Path, str]]:
    """The files of a slice, each with its kind."""
    folder, certificate = files(results, table, name)
    return [(folder / STATES, "states"), (folder / ACTIONS, "actions"), (certificate, "certificates")]


def _resource(results: Path, path: Path, kind: str, schemas: dict[str, dict]) -> dict[str, Any]:
    """What the package says of one Parquet file; its schema is added to `schemas` unless it is there."""
    place = path.relative_to(results)
    table = place.parts[1]
    slice_name = place.parts[2].removesuffix(".parquet")
    file = open_parquet(path)
    # A certificate has no footer of its own: it says of its slice what the table says.
    footer = read_footer(files(results, table, slice_name)[0] / STATES)
    parameters = footer["key"]["parameters"] if kind == "certificates" else None
    return {
        "name": re.sub("[^a-z0-9._-]", "-", f"{table}.{slice_name}.{kind}".lower()),
        "path": place.as_posix(),
        "title": f"{footer['title'].rstrip('.')} ({slice_name}, {kind})",
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        **_measured(path),
        "rows": file.metadata.num_rows,
        "sources": [{"title": footer["citation"]}],
        "schema": _shared(table, kind, _table_schema(file.schema_arrow, parameters), schemas),
    }


def _shared(table: str, kind: str, schema: dict, schemas: dict[str, dict]) -> str:
    """The path of a schema that may be that of an earlier file; a second one of a table and kind has a number."""
    number = 1
    while True:
        path = f"{SCHEMAS}/{table}-{kind}{'' if number == 1 else f'-{number}'}.json"
        if schemas.setdefault(path, schema) == schema:
            return path
        number += 1


def _table_schema(schema: pa.Schema, parameters: Sequence[str] | None = None) -> dict[str, Any]:
    """A Table Schema: fields with descriptions and units, and the columns that tell rows apart: the `parameters` given,
    else what comes before the first number that is not whole, which is the first answer."""
    keys = [field.name for field in takewhile(lambda field: not pa.types.is_floating(field.type), schema)]
    return {"fields": [_described(field) for field in schema], "primaryKey": [*(parameters or keys)]}


def _described(field: pa.Field) -> dict[str, Any]:
    """A column as a field of a Table Schema, with the custom property `unit`."""
    said = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
    found = {"name": field.name, "type": TYPES[str(field.type)], **said}
    if not field.nullable:
        found["constraints"] = {"required": True}
    return {key: found[key] for key in PLACED if found.get(key)}


def _measured(path: Path) -> dict[str, Any]:
    """The size and the sha256 of a file, read in pieces."""
    with path.open("rb") as opened:
        return {"bytes": path.stat().st_size, "hash": f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"}


def descriptor_text(descriptor: Mapping[str, Any]) -> str:
    """The descriptor with one line a resource, so that a difference between two shows the files that differ."""
    lines = ",\n".join(f"  {json.dumps(r, ensure_ascii=False)}" for r in descriptor["resources"])
    rest = {key: value for key, value in descriptor.items() if key != "resources"}
    head = json.dumps(rest, ensure_ascii=False, indent=1)
    return f'{head[:-2]},\n "resources": [\n{lines}\n ]\n}}\n'


def _schema_text(schema: Mapping[str, Any]) -> str:
    """A schema as the bytes of its file."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


def verify_package(results: Path) -> Iterator[Problem]:
    """Hold every file against datapackage.json, and datapackage.json against the files; nothing where there is none.

    Yields (path, problem) for each file that is missing, changed or not listed, or (datapackage.json, None).
    """
    path = results / NAME
    if not path.exists():
        return
    try:
        descriptor = json.loads(path.read_text(encoding="utf-8"))
        listed = {r["path"]: r for r in descriptor["resources"]}
        kinds = {STATES: "states", ACTIONS: "actions"}
        slices = sorted({tuple(Path(p).parts[1:3]) for p in listed if Path(p).name in kinds})
    except (ValueError, KeyError, TypeError) as error:
        yield NAME, f"damaged: it is no descriptor of a Data Package ({' '.join(str(error).split())})"
        return
    problems = [*_changed(results, listed), *_not_listed(results, listed)]
    yield from problems
    if not problems:
        yield NAME, _said_otherwise(results, descriptor, slices)


def _changed(results: Path, listed: Mapping[str, Mapping]) -> Iterator[Problem]:
    for place, said in listed.items():
        file = results / place
        if not file.resolve().is_relative_to(results.resolve()) or not file.is_file():
            yield place, f"missing: {NAME} lists it"
            continue
        size = file.stat().st_size
        if size != said.get("bytes"):
            yield place, f"changed: it has {size} bytes, {NAME} says {said.get('bytes')}"
        elif _measured(file)["hash"] != said.get("hash"):
            yield place, f"changed: its sha256 is not that in {NAME}"


def _not_listed(results: Path, listed: Mapping[str, Mapping]) -> Iterator[Problem]:
    known = {*listed, *(r["schema"] for r in listed.values() if isinstance(r.get("schema"), str))}
    found = [p for folder in DATA for p in (results / folder).rglob("*") if not p.is_dir() and p.name != STAMP]
    for file in sorted([*found, *(results / name for name in [CATALOG] if (results / name).exists())]):
        if (place := file.relative_to(results).as_posix()) not in known:
            yield place, f"not listed in {NAME}"


def _said_otherwise(results: Path, descriptor: Mapping[str, Any], slices: Iterable[tuple]) -> str | None:
    """What the descriptor or a schema says that the files, described again, do not."""
    try:
        ours, schemas = describe(results, slices)
        for place, schema in schemas.items():
            file = results / place
            if not file.is_file():
                return f"{place} is missing"
            if file.read_text(encoding="utf-8") != _schema_text(schema):
                return f"{place} does not say what the files say"
    except (DicebaseError, OSError, ValueError) as error:
        return str(error)
    theirs = {r["path"]: r for r in descriptor["resources"]}
    for r in ours["resources"]:
        if theirs.get(r["path"]) != r:
            differing = [key for key in r if theirs.get(r["path"], {}).get(key) != r[key]]
            return f"{r['path']}: the descriptor says another {', '.join(differing) or 'thing'} than the file"
    if descriptor != ours:
        differing = sorted(key for key in {*ours, *descriptor} if ours.get(key) != descriptor.get(key))
        return f"it says another {', '.join(differing)} than dicebase would"
    return None
