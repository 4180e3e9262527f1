"""The OpenAPI 3.1 description of the service, generated from the catalogue, and a page that links to it."""

import json
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlencode

from dicebase.catalog.ask.solved_table import SolvedTable
from dicebase.catalog.lookup import Catalog
from dicebase.tables.follow.rolls import DICE, ROLL
from dicebase.tables.templates import render
from dicebase.vocabulary import Json, MissingTableError, Parameter

SCHEMAS = Path(__file__).parents[2] / "schemas"
"""openapi.json has the parts that do not depend on tables, answer.schema.json the answer."""

TYPES = {"VARCHAR": "string", "DOUBLE": "number", "BIGINT": "integer", "INTEGER": "integer", "BOOLEAN": "boolean"}


def describe(catalog: Catalog, sql: bool = False) -> Json:
    """Return the OpenAPI document: /v1/tables, one path per table with a typed parameter for each state column and each
    parameter of its variants, and /v1/sql if `sql`."""
    document, answer = (
        json.loads((SCHEMAS / name).read_text(encoding="utf-8")) for name in ("openapi.json", "answer.schema.json")
    )
    del answer["$schema"]  # the document sets its own dialect
    document["info"]["version"] = version("dicebase")
    document["components"]["schemas"] |= {"Answer": answer, "Variant": _variant_schema(catalog)}
    of_table, of_sql = (document["paths"].pop(f"/v1/{path}") for path in ("{table}", "sql"))
    document["paths"] |= {"/v1/sql": of_sql} if sql else {}
    for name in sorted({row["name"] for row in catalog.tables()}):
        with suppress(MissingTableError):  # a table whose rules are missing answers no lookups
            document["paths"][f"/v1/{name}"] = _lookups(catalog.describe(name), catalog.solved(name), of_table)
    return document


def page(description: Json, explorer: bool) -> str:
    """Return a page for people: the tables of the description with examples, and a link to the explorer."""
    operations = []
    for path, of in ((path, of["get"]) for path, of in description["paths"].items() if "get" in of):
        examples = {p["name"]: p["example"] for p in of["parameters"] if "example" in p}
        where = path.removeprefix("/")
        operations.append((f"{where}?{urlencode(examples)}" if examples else where, where, of["summary"]))
    return render("service.html", info=description["info"], operations=operations, explorer=explorer).rstrip()


def _lookups(described: Json, table: SolvedTable, of_table: Json) -> Json:
    """Return the operations of a table, from a common template. State columns are required. So is one of `dice` and
    `roll`, and `position` may replace the columns, but OpenAPI cannot express that."""
    examples = described["example"]
    parameters = []
    for c in described["columns"]:
        either = table.rolls and c["name"] == DICE
        needed = not either and "default" not in c and c["name"] not in table.match.together
        text = c["description"] + (f" [{c['unit']}]" if c["unit"] else "") + (f"; or give '{ROLL}' instead" * either)
        asked = {"name": c["name"], "in": "query", "required": needed, "description": text}
        words = ["integer", "string"] if isinstance(c.get("default"), str) else c["kind"]
        parameters.append(asked | {"schema": {"type": words}})
    for alias, (column, before) in table.match.aliases.items():
        text = f"another way to give '{column}': '{before}' these"
        parameters.append({"name": alias, "in": "query", "description": text, "schema": {"type": "string"}})
    if table.rolls:
        parameters.append({"name": ROLL, "in": "query", "description": described["roll"], "schema": {"type": "string"}})
    for p in described["parameters"]:
        text = f"{p['description']}; {p['allowed']}"
        schema = {"type": p["kind"], "default": p["default"], **_limits(table.parameters[p["name"]])}
        parameters.append({"name": p["name"], "in": "query", "description": text, "schema": schema})
    for p in parameters:
        p |= {"example": examples[p["name"]]} if p["name"] in examples else {}
    title, value = described["title"], "The value, in {unit}, is: {value_is}.".format_map(described)
    value += f" The columns may also be one text, position={' '.join(c['name'] for c in described['columns'])}."
    lookup = {"operationId": f"lookup_{table.name}", "summary": title, "parameters": parameters}
    lookup["description"] = "\n\n".join([*described["rules"], value])
    many = {"operationId": f"lookups_{table.name}", "summary": f"many positions at once: {title}"}
    return {"get": lookup | of_table["get"], "post": many | of_table["post"]}


def _limits(parameter: Parameter) -> Json:
    if parameter.choices:
        return {"enum": list(parameter.choices)}
    limits = {"minimum": parameter.low, "maximum": parameter.high}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _variant_schema(catalog: Catalog) -> Json:
    """Return the schema of a row of the view `tables`; infinite numbers and NaN are null."""
    described = (
        "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = 'tables' AND NOT internal "
        "AND column_name <> 'in_place'"  # only of interest in SQL
    )
    properties: Json = {
        name: {"type": [TYPES[kind], "null"], "description": text or ""}
        for name, kind, text in catalog.rows(described)[1]
    }
    properties["parameters"] |= {"type": "object", "additionalProperties": {"type": ["integer", "string"]}}
    return {"type": "object", "required": list(properties), "properties": properties}
