"""The best cards of a few numbers, from a results folder or solved for this question."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.pipeline.configuration import known_definitions
from dicebase.pipeline.solve_one import OpenTable
from dicebase.show.cards import draw_found
from dicebase.show.pictures.page import check_name
from dicebase.tables.names import find_table
from dicebase.vocabulary import Json, MissingTableError


def simplify(
    results: Path, table: str, given: Mapping[str, object], config: Sequence[str] = (), page: str | None = None
) -> Json:
    """Return {table, parameters, unit, loses, cards}: the unit of costs, what `cost` and `worst_case` mean, in words,
    and the rows of `<table>_cards` as dicts, the cheapest card first.

    `config` are files that define names such as rule sets. The cheapest card is also printed on `page`. Raises
    MissingTableError for a table without cards, and ConfigurationError for wrong parameters or another kind of page.
    """
    path = page and Path(page)
    if path:
        check_name(path)
    name = f"{table}_cards"
    known = find_table(name)
    definitions = known_definitions(known.game, config, str(results))
    variant = known.variant(given, definitions, name)
    answer = _found(results, name, variant, given, config)
    if path:
        draw_found(answer | known.told(known.build_rules(variant, definitions), variant), path)
    return answer


def _found(
    results: Path, name: str, variant: Mapping[str, object], given: Mapping[str, object], config: Sequence[str]
) -> Json:
    with suppress(MissingTableError), Catalog(results) as catalog:
        catalog.solved(name).require(read_variant(catalog.solved(name), variant))
        return _rows(catalog, name, variant)
    with OpenTable(name, given, None, config) as opened:
        return _rows(opened.catalog, name, variant)


def _rows(catalog: Catalog, name: str, variant: Mapping[str, object]) -> Json:
    where = " AND ".join(f'"{parameter}" = ?' for parameter in variant)
    listing = find_table(name).match_class
    columns = ", ".join(c.name for c in (*listing.columns, listing.value, *listing.more))
    query = f"SELECT {columns}, error_bound FROM {name} WHERE {where} ORDER BY cost"
    names, rows = catalog.rows(query, [*variant.values()])
    cards = [dict(zip(names, row, strict=True)) for row in rows]
    said = {"table": name, "parameters": dict(variant), "unit": listing.value.unit, "loses": listing.loses}
    return said | {"cards": cards}
