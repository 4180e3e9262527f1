"""What a page has to know of a table before it asks: names, units, descriptions, texts, and the variants."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dicebase.catalog.solved import Solved
from dicebase.matches.targets import ToTarget
from dicebase.show.explorer.variants import write_variant


def write_table(solved: Solved, folder: Path) -> dict[str, Any]:
    """Write a table's folder; returns what the list of tables says of it."""
    folder.mkdir(parents=True)
    variants = []
    for number, certified in enumerate(solved.variants):
        kind = write_variant(solved, certified, folder / str(number))
        variants.append(_variant(solved, certified) | {"kind": kind})
    described = solved.describe()
    game = solved.game(solved.variants[0])
    record = game.record_columns if isinstance(game, ToTarget) else ()
    table, match = solved.table, solved.match
    contents = {
        **described,
        "game": table.game,
        "match": table.match,
        "sense": match.sense,
        "action_unit": match.action_unit,
        "citation": solved.variants[0]["citation"],
        # Parameters that may be smaller than solved, and the points that are moved then (Listing.state_in).
        "sizes": list(match.answered_by.sizes) if _has_smaller(solved) else [],
        "moved": [c.name for c in record if c.unit == "points"],
        "variants": variants,
    }
    (folder / "table.json").write_text(json.dumps(contents, separators=(",", ":")), encoding="utf-8")
    return {name: contents[name] for name in ("table", "title", "game", "match", "value_is")}


def _variant(solved: Solved, certified: Mapping[str, Any]) -> dict[str, Any]:
    said = {n: certified[n] for n in ("parameters", "value", "unit", "error_bound", "states", "note")}
    if _has_smaller(solved):
        game = solved.game(certified)
        said |= {"totals": game.totals, "step": game.unit_of_points, "falls": bool(game.wipes)}
    return said


def _has_smaller(solved: Solved) -> bool:
    """Whether variants of this table answer for smaller ones of it."""
    match = solved.match
    return issubclass(match, ToTarget) and bool(match.answered_by) and match.answered_by.match == solved.table.match
