"""The places that printed/places.toml describes: the cells of a printed file, and the SQL or the function of ours."""

from collections.abc import Iterator, Mapping
from typing import Any

from dicebase.audit import crocce_mordecki, crocce_mordecki_table6, forbidden_multiple
from dicebase.audit.catalogue import DESCRIBED, VARIANTS, Catalogue
from dicebase.audit.record import Cell, Ours, read

FUNCTIONS = {m.__name__: m for m in (crocce_mordecki, crocce_mordecki_table6, forbidden_multiple)}
"""The modules with the functions that places name."""

ASKED = ("bound", "standard_error", "other")

QUERIES: dict[str, str] = {}
"""Queries by name, a later one of the file with earlier ones in it."""
for name, query in DESCRIBED["queries"].items():
    QUERIES[name] = query.format_map(QUERIES)


def cells(catalogue: Catalogue, place: Mapping[str, Any]) -> Iterator[Cell]:
    """The cells of a place, row by row."""
    names = {name: catalogue.named(VARIANTS[name]) for name in place["needs"]}
    for name, query in QUERIES.items():  # each is asked once
        if any(f"{{{name}}}" in str(entry.get("from")) for entry in place["cells"]):
            catalogue.connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} AS FROM {query}")
    for row in rows(place):
        for entry in place["cells"]:
            for asked in entry.get("printed", ["printed"]):
                asking = row | {"asked": asked}
                if (ours := ours_of(catalogue, entry, asking, names)) is not None:
                    name = entry.get("cell", "{place}: {name}").format_map(asking)
                    printed, legible = row[asked] or entry.get("empty", ""), row.get("legible") != "no"
                    yield Cell(name, printed, ours, legible, row.get("raw", ""))


def rows(place: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The rows of a place in its file, which may have several; a column of parameters counts as their columns."""
    for row in read(place["file"]):
        if "source" not in row or (row["source"], row["place"]) == (place["source"], place["place"]):
            yield row | dict(part.split("=") for part in row.get("parameters", "").split())


def ours_of(catalogue: Catalogue, entry: Mapping[str, Any], row: dict[str, str], names: Mapping) -> Ours | None:
    """What an entry of a place has for a row; None where it does not apply."""
    if any(row[column] != value for column, value in entry.get("only", {}).items()):
        return None
    if "by" in entry:
        module, _, name = entry["by"].rpartition(".")
        found = getattr(FUNCTIONS[module], name)(catalogue, row)
        return found if found is None or isinstance(found, Ours) else Ours(found, entry["by"])
    ours = entry["ours"] if isinstance(entry["ours"], str) else entry["ours"].get(row["name"])
    if not ours:
        return None
    tables = row | names | {name: name for name in QUERIES}
    more = {name: entry[name].format_map(tables) for name in ASKED if name in entry}
    found = catalogue.ask(ours.format_map(tables), entry["from"].format_map(tables), **more)
    return found._replace(query=f"SELECT {ours} FROM {entry['from']}".format_map(row | names | QUERIES))
