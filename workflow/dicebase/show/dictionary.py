"""The data dictionary: every table of a catalogue with its parameters and columns, from the schemas themselves."""

from collections.abc import Sequence

from dicebase.catalog.lookup import Catalog


def dictionary(catalog: Catalog) -> str:
    """The dictionary as Markdown, a section a table."""
    comments: dict[str, list[tuple[str, str, str]]] = {}
    query = "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE schema_name = 'main'"
    for view, column, kind, comment in catalog.rows(f"{query} ORDER BY table_name, column_index")[1]:
        comments.setdefault(view, []).append((column, kind, comment or ""))
    titles = dict(catalog.rows("SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main'")[1])
    names = sorted({row["name"] for row in catalog.tables()})
    parts = [
        "# Data dictionary",
        "Made from the catalogue: the views of each table, their columns as they describe themselves (units in square "
        "brackets), and what its parameters may be. Parameters are columns of every view.",
        *_view("tables", titles, comments),
    ]
    for name in names:
        described = catalog.describe(name)
        variants = catalog.tables(name)
        parts += [
            f"## {name}",
            f"{described['title']} Source: {variants[0]['citation']}. Solved: {len(variants)} variants, "
            f"{sum(v['states'] for v in variants)} rows.",
            _table(
                ["parameter", "default", "allowed", "what it is"],
                [(p["name"], p["default"], p["allowed"], p["description"]) for p in described["parameters"]],
            ),
        ]
        for view in (name, f"{name}_actions", f"{name}_values", f"{name}_summary"):
            parts += _view(view, titles, comments)
    return "\n\n".join(parts) + "\n"


def _view(view: str, titles: dict[str, str], comments: dict[str, list[tuple[str, str, str]]]) -> list[str]:
    if view not in comments:
        return []
    return [f"**{view}**: {titles.get(view) or ''}", _table(["column", "type", "what it is"], comments[view])]


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [header, ["-"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
