"""What the report shows: pictures, and tables of the catalogue as HTML that needs nothing beside it."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from dicebase.catalog.lookup import Catalog
from dicebase.show.dictionary import dictionary
from dicebase.show.pictures.draw import draw_all
from dicebase.show.text import bound
from dicebase.tables.atomic import replacing
from dicebase.vocabulary.words import number, words

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0 2rem; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #555; position: sticky; top: 0; background: #fff; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
"""


def write_report(results: str | Path) -> None:
    """Write <results>/pictures and <results>/pages, the data dictionary among them; raises MissingTableError where
    there are no tables."""
    results = Path(results)
    with Catalog(results) as catalog:
        pages = {
            "values.html": values(catalog),
            "certificates.html": certificates(catalog),
            "audit.html": audit(catalog),
            "dictionary.md": dictionary(catalog),
        }
        draw_all(catalog, results / "pictures")
    for name, text in pages.items():
        with replacing(results / "pages" / name) as temporary:
            temporary.write_text(text, encoding="utf-8")


def values(catalog: Catalog) -> str:
    """The value of every variant."""
    rows = [
        (v["name"], words(v["parameters"]), v["states"], v["value"], v["unit"], bound(v["error_bound"]))
        for v in catalog.tables()
    ]
    header = ("table", "parameters", "states", "value", "unit", "error bound")
    return page("Values of the games", [("", header, rows)])


def certificates(catalog: Catalog) -> str:
    """Why every variant's bound holds."""
    rows = [
        (
            v["name"],
            words(v["parameters"]),
            bound(v["error_bound"]),
            v["error_bound_proof"],
            v["solver"],
            v["seconds"],
        )
        for v in catalog.tables()
    ]
    header = ("table", "parameters", "error bound", "because", "solver", "seconds")
    return page("Certificates", [("", header, rows)])


def audit(catalog: Catalog) -> str:
    """The printed record, by source and verdict, and what disagrees."""
    header, rows = catalog.rows(
        "SELECT source, place, count(*) AS cells, count(*) FILTER (verdict = 'agrees') AS agree, "
        "count(*) FILTER (verdict <> 'agrees') AS other FROM audit GROUP BY ALL ORDER BY source, place"
    )
    names, differ = catalog.rows(
        "SELECT source, place, cell, printed, ours, verdict, note FROM audit "
        "WHERE verdict NOT IN ('agrees', 'illegible') ORDER BY source, place, cell"
    )
    return page("The printed record", [("Cells by place", header, rows), ("What disagrees", names, differ)])


def page(title: str, tables: Iterable[tuple[str, Sequence[str], Sequence[Sequence[object]]]]) -> str:
    """A page of tables, each (heading or nothing, header, rows)."""
    parts = [f"<h1>{escape(title)}</h1>"]
    for heading, header, rows in tables:
        if heading:
            parts.append(f"<h2>{escape(heading)}</h2>")
        parts.append("<table><thead><tr>" + "".join(f"<th>{escape(name)}</th>" for name in header) + "</tr></thead>")
        parts += ["<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows]
        parts.append("</table>")
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="number">{number(value) if isinstance(value, float) else value}</td>'
    return f"<td>{escape('' if value is None else str(value))}</td>"
