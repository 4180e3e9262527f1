"""Describe the published files in `datapackage.json`, a Data Package (https://datapackage.org) that lists every Parquet
file, the catalogue and the schemas that files share (docs/use/data.md). Everything in it is derived from the files, so
describing them again checks it."""

import json
import re
import shutil
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from itertools import count, takewhile
from pathlib import Path

import pyarrow as pa

from dicebase.tables.layout import (
    ACTIONS,
    CATALOG,
    CERTIFICATES,
    DATAPACKAGE,
    SCHEMAS,
    TABLES,
    VALUES,
    SliceFiles,
    SliceName,
    replacing,
    sha256_of,
)
from dicebase.tables.parquet import open_parquet, read_footer
from dicebase.vocabulary import Json

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
LICENCE = {
    "name": "CC-BY-4.0",
    "title": "Creative Commons Attribution 4.0 International",
    "path": "https://creativecommons.org/licenses/by/4.0/",
}
TYPES = {"int32": "integer", "int64": "integer", "double": "number", "string": "string", "bool": "boolean"}
KINDS = {"states": TABLES, "values": VALUES, "actions": ACTIONS, "certificates": CERTIFICATES}
PLACED = ("name", "type", "description", "unit", "constraints")


def write_datapackage(results: Path | str, slices: Iterable[SliceName]) -> Path:
    """Write datapackage.json and its schemas for these slices and the catalogue; return the path of datapackage.json.

    The same files give the same bytes. Raises DamagedFileError if a file is missing or cannot be read.
    """
    results = Path(results)
    path = results / DATAPACKAGE
    descriptor, schemas = describe(results, slices)
    # Delete the descriptor first, so that nothing takes the remains of a killed run for a package.
    path.unlink(missing_ok=True)
    shutil.rmtree(results / SCHEMAS, ignore_errors=True)
    for name, schema in schemas.items():
        with replacing(results / name) as temporary:
            temporary.write_text(schema_text(schema), encoding="utf-8")
    with replacing(path) as temporary:
        temporary.write_text(descriptor_text(descriptor), encoding="utf-8")
    return path


def describe(results: Path, slices: Iterable[SliceName]) -> tuple[Json, dict[str, dict]]:
    """Return (the descriptor, {path: schema}) for these slices and the catalogue, in the order of their paths."""
    schemas: dict[str, dict] = {}
    resources = [
        _resource(files, kind, schemas)
        for files in (SliceFiles(results, *place) for place in sorted(slices))
        for kind, folder in KINDS.items()
        if folder == CERTIFICATES or files.within(folder).exists()
    ]
    if (results / CATALOG).is_file():
        resources.append(
            {
                "name": "catalogue",
                "path": CATALOG,
                "title": "All of the tables in one DuckDB file, with views, macros and comments",
                "format": "duckdb",
                "mediatype": "application/vnd.duckdb",
                **measured(results / CATALOG),
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


def _resource(files: SliceFiles, kind: str, schemas: dict[str, dict]) -> Json:
    """Describe one Parquet file of a slice, and add its schema to `schemas` unless an equal one is there."""
    path = files.within(KINDS[kind])
    file = open_parquet(path)
    # A certificate has no footer, so read the footer of the certified table.
    footer = read_footer(files.rows)
    parameters = footer["key"]["parameters"] if kind == "certificates" else None
    notes = sorted({variant["note"] for variant in footer["variants"]} - {""}) if kind != "certificates" else []
    return {
        "name": re.sub("[^a-z0-9._-]", "-", f"{files.table}.{files.name}.{kind}".lower()),
        "path": path.relative_to(files.results).as_posix(),
        "title": f"{footer['title'].rstrip('.')} ({files.name}, {kind})",
        **({"description": "; ".join(notes)} if notes else {}),
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        **measured(path),
        "rows": file.metadata.num_rows,
        "sources": [{"title": footer["citation"]}],
        "schema": _shared(files.table, kind, _table_schema(file.schema_arrow, parameters), schemas),
    }


def _shared(table: str, kind: str, schema: dict, schemas: dict[str, dict]) -> str:
    """Return the path of a schema. Equal schemas share a path; different ones of a table and kind are numbered."""
    paths = (f"{SCHEMAS}/{table}-{kind}{f'-{number}' * (number > 1)}.json" for number in count(1))
    return next(path for path in paths if schemas.setdefault(path, schema) == schema)


def _table_schema(schema: pa.Schema, parameters: Sequence[str] | None = None) -> Json:
    """Return a Table Schema: fields with descriptions and units, and the primary key. The key is `parameters` if given,
    otherwise the columns before the first floating-point column, which holds the first answer."""
    keys = [field.name for field in takewhile(lambda field: not pa.types.is_floating(field.type), schema)]
    return {"fields": [_described(field) for field in schema], "primaryKey": [*(parameters or keys)]}


def _described(field: pa.Field) -> Json:
    """Return a column as a field of a Table Schema, with the custom property `unit`."""
    said = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
    found = {"name": field.name, "type": "object" if pa.types.is_struct(field.type) else TYPES[str(field.type)], **said}
    if not field.nullable:
        found["constraints"] = {"required": True}
    return {key: found[key] for key in PLACED if found.get(key)}


def measured(path: Path) -> Json:
    """Return the size and the SHA-256 of a file."""
    return {"bytes": path.stat().st_size, "hash": f"sha256:{sha256_of(path)}"}


def descriptor_text(descriptor: Json) -> str:
    """Write the descriptor with one resource per line, so that a diff shows which files changed."""
    lines = ",\n".join(f"  {json.dumps(r, ensure_ascii=False)}" for r in descriptor["resources"])
    rest = {key: value for key, value in descriptor.items() if key != "resources"}
    head = json.dumps(rest, ensure_ascii=False, indent=1)
    return f'{head[:-2]},\n "resources": [\n{lines}\n ]\n}}\n'


def schema_text(schema: Json) -> str:
    """Return the text of a schema's file."""
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"
