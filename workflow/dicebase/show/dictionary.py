"""The data dictionary: every table of a catalogue with its parameters and columns, from the schemas themselves."""

from dicebase.catalog.lookup import Catalog
from dicebase.tables.templates import render


def dictionary(catalog: Catalog) -> str:
    """The dictionary as Markdown, a section a table."""
    columns: dict[str, list[tuple[str, str, str]]] = {}
    query = "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE schema_name = 'main'"
    for view, *described in catalog.rows(f"{query} ORDER BY table_name, column_index")[1]:
        columns.setdefault(view, []).append(described)
    titles = dict(catalog.rows("SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main'")[1])
    tables = []
    for name in sorted({row["name"] for row in catalog.tables()}):
        described = catalog.describe(name)
        parameters = [(p["name"], p["default"], p["allowed"], p["description"]) for p in described["parameters"]]
        tables.append(described | {"parameters": parameters, "variants": catalog.tables(name)})
    return render("dictionary.md", titles=titles, columns=columns, tables=tables)
