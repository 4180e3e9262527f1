"""Places described in printed/places.toml: the cells of a printed file, with the SQL or function for our numbers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from dicebase.audit import crocce_mordecki, crocce_mordecki_table6, forbidden_multiple
from dicebase.audit.catalogue import DESCRIBED, VARIANTS, Catalogue, Question
from dicebase.audit.record import Cell, Ours, read
from dicebase.vocabulary import DicebaseError, Json

FUNCTIONS = {m.__name__: m for m in (crocce_mordecki, crocce_mordecki_table6, forbidden_multiple)}
"""The modules whose functions places may name."""

ASKED = ("bound", "standard_error", "other")

QUERIES: dict[str, str] = {}
"""Queries by name; a query may contain earlier queries."""
for name, query in DESCRIBED["queries"].items():
    QUERIES[name] = query.format_map(QUERIES)


Asked = tuple[dict[str, str], Json, str]
"""The row, with the column name in `asked`; the entry of the place; our SQL, unless a function computes the number."""


def cells(catalogue: Catalogue, place: Json) -> Iterator[Cell]:
    """Yield the cells of a place, row by row."""
    for name, query in QUERIES.items():  # run each query only once
        if any(f"{{{name}}}" in str(entry.get("from")) for entry in place["cells"]):
            catalogue.connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {name} AS FROM {query}")
    asked = list(asked_of(place))
    for (row, entry, _), ours in zip(asked, answers(catalogue, place, asked), strict=True):
        if ours is not None:
            name = entry.get("cell", "{place}: {name}").format_map(row)
            printed, legible = row[row["asked"]] or entry.get("empty", ""), row.get("legible") != "no"
            yield Cell(name, printed, ours, legible, row.get("raw", ""))


def asked_of(place: Json) -> Iterator[Asked]:
    """Yield the questions about a place, row by row."""
    for row, entry in product(rows(place), place["cells"]):
        ours = entry.get("ours", "")
        ours = ours if isinstance(ours, str) else ours.get(row["name"])
        for column in entry.get("printed", ["printed"]):
            asking = row | {"asked": column}
            if (ours or "by" in entry) and entry.get("only", {}).items() <= asking.items():
                yield asking, entry, ours


def answers(catalogue: Catalogue, place: Json, asked: Sequence[Asked]) -> list[Ours | None]:
    """Answer each question; questions with the same entry and SQL return the same types, so one query asks them all.

    If a place has `each`, its rows are about several variants, and those that are not solved have the answer None.
    """
    names = {name: catalogue.named(VARIANTS[name]) for name in place["needs"]}
    found = [computed(catalogue, entry["by"], row) if "by" in entry else None for row, entry, _ in asked]
    alike: dict[tuple[int, str], list[int]] = {}
    for i, (_, entry, ours) in enumerate(asked):
        if "by" not in entry:
            alike.setdefault((id(entry), ours), []).append(i)
    for of in alike.values():
        questions, queries = zip(*(question(*asked[i], names) for i in of), strict=True)
        for i, query, answer in zip(of, queries, catalogue.ask(questions), strict=True):
            if answer is None and not place.get("each"):
                raise DicebaseError(f"audit: {place['source']}, {place['place']}: no row answers {query}")
            found[i] = answer and answer._replace(query=query)
    return found


def rows(place: Json) -> Iterator[dict[str, str]]:
    """Yield the rows of a place from its file, which it may share with other places; expand a `parameters` column."""
    for row in read(place["file"]):
        if "source" not in row or (row["source"], row["place"]) == (place["source"], place["place"]):
            yield row | dict(part.split("=") for part in row.get("parameters", "").split())


def computed(catalogue: Catalogue, by: str, row: dict[str, str]) -> Ours | None:
    """The result of the function `by` for a row; None if the function has no result."""
    module, _, name = by.rpartition(".")
    found = getattr(FUNCTIONS[module], name)(catalogue, row)
    return found if found is None or isinstance(found, Ours) else Ours(found, by)


def question(row: dict[str, str], entry: Json, ours: str, names: Mapping) -> tuple[Question, str]:
    """Return an entry's question for a row, and the equivalent query without this module's temporary tables."""
    tables = row | names | {name: name for name in QUERIES}
    more = {name: entry[name].format_map(tables) for name in ASKED if name in entry}
    query = f"SELECT {ours} FROM {entry['from']}".format_map(row | names | QUERIES)
    return Question(ours.format_map(tables), entry["from"].format_map(tables), **more), query
