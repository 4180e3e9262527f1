"""The generated reference of the documentation: a page per table, and a page that lists all tables, views and macros.

Everything comes from the catalogue of a results folder, so a page shows what is solved there.
"""

from pathlib import Path
from typing import Any

from dicebase.catalog.description import example_drawn
from dicebase.catalog.lookup import Catalog
from dicebase.catalog.sql.queries import quoted
from dicebase.show.text import lookup_text
from dicebase.tables.templates import render
from dicebase.vocabulary import Json, bound, number, some, words

MOST = 50
"""Variants that a page lists."""
COMMON = ("tables", "compare", "audit")


def reference_pages(results: str | Path) -> dict[str, str]:
    """Return Markdown by file name: `<table>.md` for every table of a results folder, and `tables.md`.

    Raises MissingTableError if the folder has no tables.
    """
    with Catalog(results) as catalog:
        views, macros = views_of(catalog), _macros(catalog)
        described = [catalog.describe(name) for name in sorted(catalog.solved_tables)]
        for t in described:
            t["views"] = [
                views[n] for end in ("", "_actions", "_values", "_summary") if (n := t["table"] + end) in views
            ]
            t["macro"] = _signature(t, macros.get(f"{t['table']}_at", []))
        pages = {f"{t['table']}.md": _page(catalog, t) for t in described}
        for t in described:
            variants = catalog.tables(t["table"])
            t["variants"], t["states"] = len(variants), sum(v["states"] for v in variants)
    common = [views[name] for name in COMMON if name in views]
    return pages | {"tables.md": render("reference.md", tables=described, common=common)}


def _page(catalog: Catalog, t: Json) -> str:
    variants = sorted(catalog.tables(t["table"]), key=lambda v: list(v["parameters"].values()))
    drawn = example_drawn(catalog.solved(t["table"]), t["example"])
    answer = lookup_text(catalog.lookup(t["table"], **t["example"]), picture=drawn)
    return render(
        "table.md",
        t=t,
        parameters=[
            (p["name"], p["default"], p["allowed"], some(p["solved"]), p["description"]) for p in t["parameters"]
        ],
        named=[
            (p["name"], value, said if isinstance(said, str) else "; ".join(said))
            for p in t["parameters"]
            for value, said in (p.get("words") or p.get("cards") or {}).items()
        ],
        columns=[(c["name"], c["unit"], _stored(c), c["description"]) for c in t["columns"]],
        command=f"dicebase lookup {t['table']} {words(t['example'])}".rstrip(),
        answer=answer.splitlines(),
        variants=[(words(v["parameters"]), *_certified(v)) for v in variants[:MOST]],
        more=max(0, len(variants) - MOST),
    )


def _certified(variant: Json) -> tuple[Any, ...]:
    """Value, exact value, bound, the name of its proof, and states; an exact value only if it is short."""
    exact = variant["exact"] or ""
    proof = variant["error_bound_proof"].partition(",")[0].partition(";")[0]
    value = f"{number(variant['value'])} {variant['unit']}"
    return value, exact if len(exact) <= 40 else "a fraction", bound(variant["error_bound"]), proof, variant["states"]


def _stored(column: Json) -> str:
    """Return the least and the greatest stored number, or the stored texts."""
    stored = column["stored"]
    return " to ".join(map(str, stored)) if column["kind"] == "integer" else some(stored)


def views_of(catalog: Catalog) -> dict[str, Json]:
    """Return the views of the catalogue by name: {name, title, columns: [(name, type, comment)]}."""
    columns: dict[str, list[tuple[Any, ...]]] = {}
    query = "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE schema_name = 'main'"
    for name, *column in catalog.rows(f"{query} ORDER BY table_name, column_index")[1]:
        columns.setdefault(name, []).append(tuple(column))
    titles = dict(catalog.rows("SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main'")[1])
    return {name: {"name": name, "title": titles.get(name) or "", "columns": of} for name, of in columns.items()}


def _macros(catalog: Catalog) -> dict[str, list[str]]:
    """Return the arguments of each table macro."""
    query = (
        "SELECT function_name, parameters FROM duckdb_functions() WHERE function_type = 'table_macro' AND NOT internal"
    )
    return dict(catalog.rows(query)[1])


def _signature(t: Json, arguments: list[str]) -> str:
    """Return a call of a table's macro with the defaults of its parameters; empty if there is no macro."""
    defaults = {p["name"]: p["default"] for p in t["parameters"]}
    literals = {name: quoted(x) if isinstance(x, str) else x for name, x in defaults.items()}
    said = [f"{a} := {literals[a]}" if a in literals else a for a in arguments]
    return f"{t['table']}_at({', '.join(said)})" if arguments else ""
