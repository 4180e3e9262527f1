"""The places that printed/places.toml describes: the cells of a printed file, and the SQL or the function of ours."""

from collections.abc import Iterator, Mapping

from dicebase.audit import crocce_mordecki, crocce_mordecki_table6, forbidden_multiple
from dicebase.audit.catalogue import DESCRIBED, VARIANTS, Catalogue, Question
from dicebase.audit.record import Cell, Ours, read
from dicebase.vocabulary import Json

FUNCTIONS = {m.__name__: m for m in (crocce_mordecki, crocce_mordecki_table6, forbidden_multiple)}
"""The modules with the functions that places name."""

ASKED = ("bound", "standard_error", "other")

QUERIES: dict[str, str] = {}
"""Queries by name, a later one of the file with earlier ones in it."""
for name, query in DESCRIBED["queries"].items():
    QUERIES[name] = query.format_map(QUERIES)


def cells(catalogue: Catalogue, place: Json) -> Iterator[Cell]:
    """The cells of a place, row by row."""
    names = {name: catalogue.named(VARIANTS[name]) for name in place["needs"]}
    for name, query in QUERIES.items():  # each is asked once
        if any(f"{{{name}}}" in str(entry.get("from")) for entry in place["cells"]):
            catalogue.connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} AS FROM {query}")
    found: list[tuple[dict[str, str], Json, Ours | None]] = []
    asked: dict[tuple[int, str], list[tuple[int, Question, str]]] = {}
    for row in rows(place):
        for number, entry in enumerate(place["cells"]):
            for column in entry.get("printed", ["printed"]):
                asking = row | {"asked": column}
                if any(asking[name] != value for name, value in entry.get("only", {}).items()):
                    continue
                if "by" in entry:
                    found.append((asking, entry, computed(catalogue, entry["by"], asking)))
                elif ours := entry["ours"] if isinstance(entry["ours"], str) else entry["ours"].get(row["name"]):
                    asked.setdefault((number, ours), []).append((len(found), *question(ours, entry, asking, names)))
                    found.append((asking, entry, None))
    answers: dict[int, Ours] = {}
    for same in asked.values():
        places, questions, queries = zip(*same, strict=True)
        for at, query, ours in zip(places, queries, catalogue.ask(questions), strict=True):
            answers[at] = ours._replace(query=query)
    for at, (asking, entry, ours) in enumerate(found):
        if (ours := answers.get(at, ours)) is not None:
            name = entry.get("cell", "{place}: {name}").format_map(asking)
            printed, legible = asking[asking["asked"]] or entry.get("empty", ""), asking.get("legible") != "no"
            yield Cell(name, printed, ours, legible, asking.get("raw", ""))


def rows(place: Json) -> Iterator[dict[str, str]]:
    """The rows of a place in its file, which may have several; a column of parameters counts as their columns."""
    for row in read(place["file"]):
        if "source" not in row or (row["source"], row["place"]) == (place["source"], place["place"]):
            yield row | dict(part.split("=") for part in row.get("parameters", "").split())


def computed(catalogue: Catalogue, by: str, row: dict[str, str]) -> Ours | None:
    """What a function has for a row; None where it has nothing."""
    module, _, name = by.rpartition(".")
    found = getattr(FUNCTIONS[module], name)(catalogue, row)
    return found if found is None or isinstance(found, Ours) else Ours(found, by)


def question(ours: str, entry: Json, row: dict[str, str], names: Mapping) -> tuple[Question, str]:
    """What an entry of a place asks for a row, and the query that says so with no table of this module in it."""
    tables = row | names | {name: name for name in QUERIES}
    more = {name: entry[name].format_map(tables) for name in ASKED if name in entry}
    query = f"SELECT {ours} FROM {entry['from']}".format_map(row | names | QUERIES)
    return Question(ours.format_map(tables), entry["from"].format_map(tables), **more), query
