"""The description of the service, OpenAPI 3.1, made from the catalogue; and a page that points to it."""

import json
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from dicebase.catalog.lookup import Catalog
from dicebase.catalog.solved_tables import SolvedTable
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.tables.templates import render
from dicebase.vocabulary import MissingTableError, Parameter

SCHEMAS = Path(__file__).parents[3] / "schemas"
"""openapi.json is what does not depend on the tables, answer.schema.json the answer."""

TYPES = {"VARCHAR": "string", "DOUBLE": "number", "BIGINT": "integer", "INTEGER": "integer", "BOOLEAN": "boolean"}

Json = dict[str, Any]

BATCH = {
    "requestBody": {"$ref": "#/components/requestBodies/Positions"},
    "responses": {
        "200": {"$ref": "#/components/responses/Answers"},
        "404": {"$ref": "#/components/responses/Missing"},
        "413": {"$ref": "#/components/responses/Large"},
        "422": {"$ref": "#/components/responses/Wrong"},
    },
}


def describe(catalog: Catalog) -> Json:
    """The OpenAPI document: /v1/tables, and one path a table with a typed parameter for each state column and each
    parameter of its variants."""
    document, answer = (
        json.loads((SCHEMAS / name).read_text(encoding="utf-8")) for name in ("openapi.json", "answer.schema.json")
    )
    del answer["$schema"]  # the document's own dialect
    document["info"]["version"] = version("dicebase")
    document["components"]["schemas"] |= {"Answer": answer, "Variant": _variant_schema(catalog)}
    listing = document["paths"]["/v1/tables"]
    for name in sorted({row["name"] for row in catalog.tables()}):
        with suppress(MissingTableError):  # its rules are not found, so that no lookup is answered
            document["paths"][f"/v1/{name}"] = _lookups(catalog.describe(name), catalog.solved(name), listing)
    return document


def page(description: Json, explorer: bool) -> str:
    """A page for people, made from the description: the tables, each with an example where there is one; and the
    explorer."""
    operations = []
    for path, of in description["paths"].items():
        examples = {p["name"]: p["example"] for p in of["get"]["parameters"] if "example" in p}
        where = path.removeprefix("/")
        operations.append((f"{where}?{urlencode(examples)}" if examples else where, where, of["get"]["summary"]))
    return render("service.html", info=description["info"], operations=operations, explorer=explorer).rstrip()


def _lookups(described: Json, table: SolvedTable, like: Json) -> Json:
    """The operations of a table, its responses those of another but for the answer. State columns are required; of
    `dice` and `roll` one is, which OpenAPI cannot say."""
    examples = described["example"]
    parameters = []
    for c in described["columns"]:
        either = table.rolls and c["name"] == DICE
        text = c["description"] + (f" [{c['unit']}]" if c["unit"] else "") + (f"; or '{ROLL}' in its place" * either)
        asked = {"name": c["name"], "in": "query", "required": not either, "description": text}
        parameters.append(asked | {"schema": {"type": c["kind"]}})
    if table.rolls:
        parameters.append({"name": ROLL, "in": "query", "description": described["roll"], "schema": {"type": "string"}})
    for p in described["parameters"]:
        text = f"{p['description']}; {p['allowed']}"
        schema = {"type": p["kind"], "default": p["default"], **_limits(table.parameters[p["name"]])}
        parameters.append({"name": p["name"], "in": "query", "description": text, "schema": schema})
    for p in parameters:
        p |= {"example": examples[p["name"]]} if p["name"] in examples else {}
    answer = {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}
    value = "The value, in {unit}, is: {value_is}.".format_map(described)
    one, success = like["get"], like["get"]["responses"]["200"]
    headers = {name: header for name, header in success["headers"].items() if name in ("ETag", "Cache-Control")}
    lookup = {
        "operationId": f"lookup_{table.name}",
        "summary": described["title"],
        "parameters": parameters,
        "responses": one["responses"] | {"200": success | {"headers": headers, "content": answer}},
        "description": "\n\n".join([*described["rules"], value]),
    }
    many = {"operationId": f"lookups_{table.name}", "summary": f"many positions at once: {described['title']}"}
    return {"get": lookup, "post": many | BATCH}


def _limits(parameter: Parameter) -> Json:
    if parameter.choices:
        return {"enum": list(parameter.choices)}
    limits = {"minimum": parameter.low, "maximum": parameter.high}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _variant_schema(catalog: Catalog) -> Json:
    """The view `tables` as an object; numbers that JSON cannot say are null."""
    described = (
        "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = 'tables' AND NOT internal"
    )
    properties: Json = {
        name: {"type": [TYPES[kind], "null"], "description": text or ""}
        for name, kind, text in catalog.rows(described)[1]
    }
    properties["parameters"] |= {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}
    return {"type": "object", "required": list(properties), "properties": properties}
