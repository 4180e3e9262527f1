"""The explorer's page as shipped, and a check that all its files exist."""

import json
from pathlib import Path

from dicebase.tables.layout import EXPLORER

PAGE = Path(__file__).parent / "dist"
"""The folder built from workflow/explorer."""

DATA = "data"
"""The name of the folder with the tables' data, next to the page."""


def is_whole(results: Path) -> bool:
    """Return whether the page exists, with a file for each table and variant in its list of tables."""
    folder = results / EXPLORER / DATA
    try:
        tables = [folder / found["table"] for found in json.loads((folder / "tables.json").read_bytes())["tables"]]
        counts = [len(json.loads((table / "table.json").read_bytes())["variants"]) for table in tables]
    except OSError:
        return False
    files = (table / f"{i}.bin" for table, n in zip(tables, counts, strict=True) for i in range(n))
    return all(path.exists() for path in (results / EXPLORER / "index.html", *files))
