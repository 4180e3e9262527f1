"""The report: pictures, and tables of the catalogue as self-contained HTML."""

import json
from pathlib import Path
from typing import Any

from dicebase.catalog.description import example_drawn
from dicebase.catalog.lookup import Catalog
from dicebase.show.pictures.gallery import PICTURES as GALLERY
from dicebase.show.pictures.gallery import variants_in
from dicebase.show.table_pages import views_of
from dicebase.tables.layout import PAGES, PICTURES, replacing
from dicebase.tables.templates import render
from dicebase.vocabulary import Definition, Json, bound, number, words


def write_report(results: str | Path) -> None:
    """Write <results>/pictures and <results>/pages; raises MissingTableError without tables."""
    from dicebase.show.pictures.draw import draw_all

    with Catalog(results) as catalog:
        draw_all(catalog, Path(results) / PICTURES)
    write_pages(results)


def write_pages(results: str | Path) -> None:
    """Write <results>/pages, including the table of games and the data dictionary."""
    with Catalog(results) as catalog:
        tables = solved(catalog)
        pages = {
            "values.html": values(catalog),
            "audit.html": audit(catalog),
            "games.md": render("games.md", tables=tables, compared=compared(catalog), words=words, bound=bound),
            "dictionary.md": dictionary(catalog, tables),
        }
    for name, text in pages.items():
        with replacing(Path(results) / PAGES / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


def solved(catalog: Catalog) -> list[Json]:
    """Describe each table with its variants; `shown` is the default variant or, if it is not solved, the first."""
    tables, there = [], variants_in(catalog)
    shown_there = [picture for picture in GALLERY if picture.is_shown(there)]
    for name in sorted({row["name"] for row in catalog.tables()}):
        t, variants = catalog.describe(name), catalog.tables(name)
        shown = next((v for v in variants if v["parameters"] == {p["name"]: p["default"] for p in t["parameters"]}),
                     variants[0])  # fmt: skip
        t["parameters"] = [(p["name"], p["default"], p["allowed"], p["description"]) for p in t["parameters"]]
        drawn = example_drawn(catalog.solved(name), t["example"])
        t["pictures"] = [picture for picture in shown_there if any(needed["table"] == name for needed in picture.needs)]
        tables.append(t | {"variants": variants, "shown": shown, "drawn": drawn})
    return tables


def compared(catalog: Catalog) -> list[list[Any]]:
    """Return the view `compare` in readable form, with labels of rule sets."""
    variants = (variant for name in catalog.solved_tables for variant in catalog.solved(name).variants)
    defined = {name: content for v in variants for of in v.definitions.values() for name, content in of.items()}

    def said(entry: Any) -> Any:
        if isinstance(entry, str) and entry.startswith("{"):
            pairs = ((n, "never" if x is None else x) for n, x in json.loads(entry).items())
            pairs = ((n, Definition(x, defined.get(x)).label) for n, x in pairs)
            return ", ".join(f"{x}" if n == "0" else f"{n}: {x}" for n, x in pairs)
        return number(entry) if isinstance(entry, float) else entry

    return [[said(entry) for entry in row] for row in catalog.rows("FROM compare ORDER BY ALL")[1]]


def values(catalog: Catalog) -> str:
    """Return the value of every variant, with the proof of its bound, as HTML."""
    header = ("table", "parameters", "states", "value", "unit", "error bound", "because", "solver", "seconds")
    rows = [
        (v["name"], words(v["parameters"]), v["states"], v["value"], v["unit"], bound(v["error_bound"]),
         *(v[name] for name in ("error_bound_proof", "solver", "seconds")))
        for v in catalog.tables()
    ]  # fmt: skip
    return render("report.html", title="Values of the games", tables=[("", header, rows)])


def audit(catalog: Catalog) -> str:
    """Return the printed record by source and verdict, and the disagreements, as HTML."""
    header, rows = catalog.rows(
        "SELECT source, place, count(*) AS cells, count(*) FILTER (verdict = 'agrees') AS agree, "
        "count(*) FILTER (verdict <> 'agrees') AS other FROM audit GROUP BY ALL ORDER BY source, place"
    )
    names, differ = catalog.rows(
        "SELECT source, place, cell, printed, ours, verdict, note FROM audit "
        "WHERE verdict NOT IN ('agrees', 'illegible') ORDER BY source, place, cell"
    )
    tables = [("Cells by place", header, rows), ("Disagreements", names, differ)]
    return render("report.html", title="The printed record", tables=tables)


def dictionary(catalog: Catalog, tables: list[Json]) -> str:
    """Return the data dictionary as Markdown: a section per table, with parameters and columns from the schemas."""
    return render("dictionary.md", views=views_of(catalog), tables=tables)
