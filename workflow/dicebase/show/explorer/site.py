"""Writes the explorer of a results folder: the page, and the tables it asks."""

import json
from importlib.metadata import version
from pathlib import Path

from dicebase.catalog.lookup import Catalog
from dicebase.show.explorer.page import SOURCE, write_page
from dicebase.show.explorer.tables import write_table
from dicebase.tables.layout import EXPLORER, replacing_folder

DATA = "data"

FORMAT = 1
"""Of the data, which the page checks."""


def write_explorer(results: Path | str, source: Path = SOURCE) -> Path:
    """Write <results>/explorer, in one go; returns the path of its index.html.

    Raises MissingTableError where there are no tables, DicebaseError where the page cannot be made.
    """
    results = Path(results)
    folder = results / EXPLORER
    with replacing_folder(folder) as temporary, Catalog(results) as catalog:
        write_page(temporary, source)
        write_data(catalog, temporary / DATA)
    return folder / "index.html"


def write_data(catalog: Catalog, folder: Path) -> None:
    """Write the tables that have decisions."""
    folder.mkdir(parents=True)
    names = sorted({row["name"] for row in catalog.tables()})
    found = [write_table(solved, folder / n) for n in names if (solved := catalog.solved(n)).match.layout.decides]
    contents = {"format": FORMAT, "version": version("dicebase"), "tables": found}
    (folder / "tables.json").write_text(json.dumps(contents, separators=(",", ":")), encoding="utf-8")
