"""The list of pictures, read from listed/gallery.toml."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

from dicebase.catalog.lookup import Catalog


@dataclass(frozen=True)
class Picture:
    """A picture and its query, one SQL statement. `needs` are the variants it shows, as {table, parameters}, with
    store = "rows" if it needs more than the starts of turns."""

    name: str
    title: str
    caption: str
    needs: Sequence[Mapping[str, Any]]
    sql: str
    kind: str  # a function of kinds.py
    options: Mapping[str, Any]

    def is_shown(self, solved: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether all variants that the picture needs are solved; `solved` has {table, store, parameters}."""
        return all(any(needed.items() <= row.items() for row in solved) for needed in self.needs)

    @property
    def query(self) -> str:
        """Return the SQL without surrounding space."""
        return self.sql.strip()

    @property
    def caption_text(self) -> str:
        """Return the caption, followed by the SQL, as reStructuredText."""
        return f"{self.caption}\n\n.. code-block:: sql\n\n{indent(self.query, '    ')}\n"


LISTED = Path(__file__).parent / "listed"
"""The folder of the list."""
PICTURES = tuple(
    Picture(**entry) for entry in tomllib.loads((LISTED / "gallery.toml").read_text(encoding="utf-8"))["picture"]
)


def variants_in(catalog: Catalog) -> list[dict[str, Any]]:
    """Return the solved variants as {table, store, parameters}."""
    return [{"table": row["name"], "store": row["store"], **row["parameters"]} for row in catalog.tables()]
