"""The description of the service, OpenAPI 3.1, made from the catalogue; and a page that points to it."""

import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from dicebase.catalog.lookup import Catalog
from dicebase.tables.follow.keeps import DICE, ROLL
from dicebase.tables.names import find_table
from dicebase.vocabulary.errors import MissingTableError

SCHEMA = Path(__file__).parents[3] / "schemas" / "answer.schema.json"
TYPES = {"VARCHAR": "string", "DOUBLE": "number", "BIGINT": "integer", "INTEGER": "integer", "BOOLEAN": "boolean"}
ROLLED = f"the dice as they fell, as digits in any order, in the place of '{DICE}': what to keep of them is ranked then"

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "one line: the place, the value, what is allowed or what exists"}
    },
    "additionalProperties": False,
}

HEADERS = {
    "ETag": {
        "description": "a digest of the answer and of the certificate of its variant; send it as If-None-Match",
        "required": True,
        "schema": {"type": "string"},
    },
    "Cache-Control": {
        "description": "how long the answer may be used without asking again",
        "required": True,
        "schema": {"type": "string"},
    },
}

RESPONSES = {
    "Unchanged": {
        "description": "the answer is the one with the ETag given",
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in HEADERS},
    },
    "Missing": {
        "description": "no such table, not solved with these parameters, or nothing to decide at this position",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    },
    "Wrong": {
        "description": "a parameter is unknown, missing, given twice, of the wrong type or out of range",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    },
}


def describe(catalog: Catalog) -> dict[str, Any]:
    """The OpenAPI document: /v1/tables, and one path a table with a typed parameter for each state column and each
    parameter of its variants."""
    described = [d for name in sorted({row["name"] for row in catalog.tables()}) if (d := _described(catalog, name))]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dicebase",
            "version": version("dicebase"),
            "description": "A tablebase for games of dice: a position in, every legal action out, best first, each "
            "with its value and with what it gives up against the best one.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {"/v1/tables": _tables(), **{f"/v1/{d['table']}": _lookup(catalog, d) for d in described}},
        "components": {
            "schemas": {"Answer": _answer_schema(), "Variant": _variant_schema(catalog), "Error": ERROR},
            "headers": HEADERS,
            "responses": RESPONSES,
        },
    }


def page(description: Mapping[str, Any]) -> str:
    """A page for people, made from the description: the tables, each with an example where there is one."""
    items = []
    for path, operations in description["paths"].items():
        get, where = operations["get"], path.removeprefix("/")
        examples = {p["name"]: p["example"] for p in get["parameters"] if "example" in p}
        link = f"{where}?{urlencode(examples)}" if examples else where
        items.append(f'<li><a href="{escape(link)}">{escape(where)}</a>: {escape(get["summary"])}</li>')
    info = description["info"]
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{info["title"]}</title>',
            f"<h1>{info['title']} {info['version']}</h1>\n<p>{escape(info['description'])}</p>",
            '<p>Each link is one example; <a href="openapi.json">openapi.json</a> describes all parameters.</p>',
            "<ul>",
            *items,
            "</ul>\n</html>",
        ]
    )


def _tables() -> dict[str, Any]:
    text = "only the variants of this table"
    table = {"name": "table", "in": "query", "description": text, "schema": {"type": "string"}}
    variants = {"type": "array", "items": {"$ref": "#/components/schemas/Variant"}}
    return _get("tables", "what is solved: one entry a variant, with what certifies it", [table], variants)


def _lookup(catalog: Catalog, described: Mapping[str, Any]) -> dict[str, Any]:
    """The path of a table. State columns are required; of `dice` and `roll` one is, which OpenAPI cannot say."""
    limits = {p.name: p for p in find_table(described["table"]).parameters}
    columns = [c for c in described["columns"] if c["name"] not in limits]
    examples = _example(catalog, described["table"], {n: p.default for n, p in limits.items()}, columns)
    parameters = []
    for c in columns:
        text = c["description"] + (f" [{c['unit']}]" if c.get("unit") else "")
        either = described["roll"] and c["name"] == DICE
        text += f"; or '{ROLL}' in its place" if either else ""
        asked = {"name": c["name"], "in": "query", "required": not either, "description": text}
        example = {"example": examples[c["name"]]} if c["name"] in examples else {}
        parameters.append(asked | {"schema": {"type": c["kind"]}} | example)
    if described["roll"]:
        parameters.append({"name": ROLL, "in": "query", "description": ROLLED, "schema": {"type": "string"}})
    for p in described["parameters"]:
        text = f"{p['description']}; {p['allowed']}"
        schema = {"type": p["kind"], "default": p["default"], **_limits(limits[p["name"]])}
        parameters.append({"name": p["name"], "in": "query", "description": text, "schema": schema})
    operation = _get(
        f"lookup_{described['table']}", described["title"], parameters, {"$ref": "#/components/schemas/Answer"}
    )
    operation["get"]["description"] = f"The value, in {described['unit']}, is {described['value_is']}."
    return operation


def _get(name: str, summary: str, parameters: Iterable[Mapping], schema: Mapping) -> dict[str, Any]:
    """A path with its only operation; HEAD needs no words."""
    answer = {
        "description": "the JSON that the command line prints",
        "headers": {header: {"$ref": f"#/components/headers/{header}"} for header in HEADERS},
        "content": {"application/json": {"schema": schema}},
    }
    others = {"304": "Unchanged", "404": "Missing", "422": "Wrong"}
    responses = {"200": answer} | {code: {"$ref": f"#/components/responses/{r}"} for code, r in others.items()}
    return {"get": {"operationId": name, "summary": summary, "parameters": [*parameters], "responses": responses}}


def _limits(parameter: Any) -> dict[str, Any]:
    if parameter.choices:
        return {"enum": list(parameter.choices)}
    limits = {"minimum": parameter.low, "maximum": parameter.high}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _described(catalog: Catalog, table: str) -> dict[str, Any] | None:
    """What the catalogue says of a table; None if its rules are not found, so that no lookup is answered."""
    try:
        return catalog.describe(table)
    except MissingTableError:
        return None


def _example(catalog: Catalog, table: str, variant: Mapping[str, Any], columns: list[Mapping]) -> dict[str, Any]:
    """A position of the default variant, by column; empty if that is not solved or has one position alone."""
    if not columns:
        return {}
    names = [f'"{c["name"]}"' for c in columns]
    where = " AND ".join(f'"{name}" = ?' for name in variant) or "true"
    query = f"SELECT {', '.join(names)} FROM {table} WHERE {where} LIMIT 1"
    rows = catalog.sql(query, [*variant.values()]).fetchall()
    return {c["name"]: value for c, value in zip(columns, rows[0], strict=True)} if rows else {}


def _answer_schema() -> dict[str, Any]:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    del schema["$schema"]  # the document's own dialect
    return schema


def _variant_schema(catalog: Catalog) -> dict[str, Any]:
    """The view `tables` as an object; numbers that JSON cannot say are null."""
    comments = (
        "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = 'tables' AND NOT internal"
    )
    properties: dict[str, Any] = {
        name: {"type": [TYPES[kind], "null"], "description": text or ""}
        for name, kind, text in catalog.rows(comments)[1]
    }
    properties["parameters"] |= {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}
    return {"type": "object", "required": list(properties), "properties": properties}
