"""The writer of the explorer of a results folder: the page and its data."""

import json
import shutil
from collections.abc import Sequence
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

from dicebase.catalog.ask.solved_table import SolvedTable, SolvedVariant
from dicebase.catalog.description import describe, describe_game, solved_definitions
from dicebase.catalog.lookup import Catalog
from dicebase.show.explorer import PAGE
from dicebase.show.explorer.variants import write_served, write_variant
from dicebase.tables.layout import EXPLORER, SliceFiles, replacing_folder
from dicebase.vocabulary import Layout

FORMAT = 6
"""The version of the data format, which the page checks."""

DATA = "data"
"""The name of the folder with the tables' data, next to the page."""

SERVED = {"Documentation of the HTTP interface": "../", "All tables as JSON": "../v1/tables"}
"""Addresses of the server (show/http), which the explorer links if the package states none."""
BESIDE = {"Data of this page": f"{DATA}/tables.json", "Licences": "LICENSES.txt"}
"""Files beside the page, which it always links."""


def write_explorer(results: Path | str) -> Path:
    """Write <results>/explorer atomically; returns the path of index.html. Raises MissingTableError without tables."""
    results = Path(results)
    folder = results / EXPLORER
    with replacing_folder(folder) as temporary, Catalog(results) as catalog:
        shutil.copytree(PAGE, temporary)
        write_data(catalog, temporary / DATA)
    return folder / "index.html"


def write_data(catalog: Catalog, folder: Path) -> None:
    """Write the data of all tables with decisions."""
    folder.mkdir(parents=True)
    names = sorted({row["name"] for row in catalog.tables()})
    decided = [solved for n in names if (solved := catalog.solved(n)).match.layout.decides]
    found = [
        write_table(s, folder / s.name, _solved_there(catalog, s), layered)
        for s in decided
        if (layered := catalog.solved_tables.layered(s)) or _shown(s)
    ]
    about = metadata("dicebase")
    links = dict(line.split(", ", 1) for line in about.get_all("Project-URL") or ()) or SERVED
    contents = {"format": FORMAT, "version": about["Version"], "links": links | BESIDE, "tables": found}
    (folder / "tables.json").write_text(json.dumps(contents, separators=(",", ":")), encoding="utf-8")


def _solved_there(catalog: Catalog, solved: SolvedTable) -> dict[str, Any]:
    """Return {own: {parameter, switches, definitions, cards}}, with all definitions in the game's tables, for a turn
    whose rule sets can be edited and solved in the page; otherwise an empty dict."""
    switches = solved.table.rules_class.switches
    if solved.table.match != "turn" or not switches:
        return {}
    ((parameter, of),) = switches.items()
    game = solved.table.game
    said = describe_game(game, {}, solved_definitions(catalog.solved_tables, game))["parameters"]
    known = next(p for p in said if p["name"] == parameter)
    return {"own": {"parameter": parameter, "switches": of} | {n: known[n] for n in ("definitions", "cards")}}


def write_table(
    solved: SolvedTable, folder: Path, more: dict[str, Any], layered: Sequence[SolvedVariant]
) -> dict[str, Any]:
    """Write a table's folder; returns its entry in the list of tables, with the value, drawing and first
    question of its default variant, or of the largest one of a board. `layered` are the last layers of further
    variants, for which the page asks a server."""
    folder.mkdir(parents=True)
    variants, metas = [], []
    shown, said = _shown(solved), describe(solved)
    certificates = [SliceFiles(solved.results, solved.name, s).certificate for s in solved.mapped.certificates]
    if len(shown) < len(solved.variants):
        said["columns"] = [c for c in said["columns"] if c["name"] not in solved.match.defaults]
    for number, variant in enumerate(shown):
        metas.append(write_variant(variant, certificates, folder / str(number)))
        variants.append(_said(solved, variant) | {"kind": metas[-1]["kind"]})
    for number, last in enumerate(layered, start=len(variants)):
        metas.append(write_served(last, folder / str(number)))
        parameters = {n: last.parameters[n] for n in solved.parameters}
        variants.append(_said(solved, last) | {"parameters": parameters, "kind": "served"})
    game, table, match = solved.variants[0].game, solved.table, solved.match
    record = game.record_columns if _has_smaller(solved) else ()
    contents = {
        **said,
        "game": table.game,
        "match": table.match,
        "family": table.rules_class.family,
        "sense": match.sense,
        "action_unit": match.action_unit,
        # Parameters that may be smaller than solved, and the columns of points that then shift (Listing.state_in).
        "sizes": list(match.answered_by.sizes) if _has_smaller(solved) else [],
        "moved": [c.name for c in record if c.unit == "points"],
        "variants": variants,
        "elsewhere": [v.parameters for v in solved.variants if v not in shown and not layered],
        **more,
    }
    (folder / "table.json").write_text(json.dumps(contents, separators=(",", ":")), encoding="utf-8")
    listed = {name: contents[name] for name in ("table", "title", "game", "game_title", "match", "family", "value_is")}
    is_board, usual = "start" in metas[0], said["example"].items()
    main = max(
        range(len(metas)),
        key=lambda n: variants[n]["states"] if is_board else variants[n]["parameters"].items() <= usual,
    )
    opened = {n: variants[main][n] for n in ("parameters", "value", "unit")}
    drawing = metas[main].get("drawing")
    example = drawing and {c["name"]: said["example"][c["name"]] for c in said["columns"]}
    opened |= {"drawing": drawing, "start": metas[main].get("start", example)}
    return listed | {"about": contents["rules"][0]} | opened


def _shown(solved: SolvedTable) -> list[SolvedVariant]:
    """Return the variants that the page can answer: all except matches that count lost turns in a row, and boards whose
    answers follow from values by number."""
    if solved.answered_from:
        return []
    counted = solved.match.defaults.keys() if solved.match.layout is Layout.TWO_ACTIONS else ()
    return [v for v in solved.variants if not counted or counted.isdisjoint(c.name for c in v.game.columns)]


def _said(solved: SolvedTable, variant: SolvedVariant) -> dict[str, Any]:
    said = {n: variant.row[n] for n in ("parameters", "value", "unit", "error_bound", "states", "note")}
    if _has_smaller(solved):
        game = variant.game
        said |= {"totals": game.totals, "step": game.unit_of_points, "falls": bool(game.why_not_answered)}
    return said


def _has_smaller(solved: SolvedTable) -> bool:
    """Return whether variants of this table answer for smaller ones."""
    return solved.match.answered_by is not None and solved.match.answered_by.match == solved.table.match
