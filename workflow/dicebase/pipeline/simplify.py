"""The best cards of a few numbers for a game, from a results folder or solved for this question."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dicebase.catalog.ask.question import read_variant
from dicebase.catalog.lookup import Catalog
from dicebase.pipeline.solve_one import OpenTable
from dicebase.tables.names import find_table
from dicebase.vocabulary import Json, MissingTableError


def simplify(results: Path, table: str, given: Mapping[str, object]) -> Json:
    """Return {table, parameters, loses, cards}: what `cost` and `worst_case` mean, in words, and the rows of
    `<table>_cards` as dicts, the cheapest card first. Raises MissingTableError for a table without cards, and
    ConfigurationError for wrong parameters."""
    name = f"{table}_cards"
    variant = find_table(name).variant(given, {}, name)
    with suppress(MissingTableError), Catalog(results) as catalog:
        catalog.solved(name).require(read_variant(catalog.solved(name), variant))
        return _rows(catalog, name, variant)
    with OpenTable(name, given, None) as opened:
        return _rows(opened.catalog, name, variant)


def _rows(catalog: Catalog, name: str, variant: Mapping[str, object]) -> Json:
    where = " AND ".join(f'"{parameter}" = ?' for parameter in variant)
    columns = "language, card, policy, cost, worst_case, least_cost, proved, error_bound"
    query = f"SELECT {columns} FROM {name} WHERE {where} ORDER BY cost"
    names, rows = catalog.rows(query, [*variant.values()])
    cards = [dict(zip(names, row, strict=True)) for row in rows]
    loses = find_table(name).match_class.loses
    return {"table": name, "parameters": dict(variant), "loses": loses, "cards": cards}
