"""Forgeries of the folder as a whole: missing files, foreign files, and descriptions of files."""

import json
import os
import shutil

from dicebase.tables.layout import slices_in
from support.forgeries.forgery import PIG, Forgery, edited, make_copies, written
from support.forgeries.slices import ACTIONS, ROWS


def gone(place):
    def alter(results):
        path = results / place
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return Forgery(alter, (place,), described=False)


def more(place, described=True):
    def alter(results):
        (results / place).parent.mkdir(exist_ok=True)
        (results / place).write_text("hold")

    return Forgery(alter, ("mapped" if place.startswith("mapped") else place,), described)


def replaced(place, old, new):
    return edited(place, lambda content: content.replace(old, new), "datapackage.json", described=False)


def only_listed(kept):
    """Remove some of the files from the descriptor."""

    def alter(results):
        path = results / "datapackage.json"
        found = json.loads(path.read_text())
        found["resources"] = [r for r in found["resources"] if kept(r["path"])]
        path.write_text(json.dumps(found))

    return alter


def moved_out(results):
    """Move a listed file out of the folder and link to it."""
    shutil.move(results / ROWS, results.parent / "rows.parquet")
    (results / ROWS).symlink_to(results.parent / "rows.parquet")


def one_table_less(results):
    """Make every copy without one of the tables."""
    make_copies(results, [place for place in slices_in(results) if place != PIG])


COPIES = ("dicebase.duckdb", "mapped", "explorer", "pages", "audit", "schemas", "datapackage.json")
FOREIGN = ("notes.txt", "dicebase.duckdb.wal", "tables/notes.txt", "tables/pig_turn/copy.csv", "values/notes.txt")
FOREIGN += ("actions/pig_turn/.hidden", "mapped/pig_turn/more.bin", "pictures/proof.png")
STATES = "schemas/pig_turn-states.json"
FORGERIES = {
    **{f"missing: {place}": gone(place) for place in COPIES},
    "missing: a table in every copy": Forgery(one_table_less, ("dicebase.duckdb", "mapped", "pages", "explorer")),
    **{f"foreign: {place}": more(place) for place in FOREIGN},
    "foreign: schemas/more.json": more("schemas/more.json", described=False),
    "foreign: a folder": Forgery(lambda results: (results / "more").mkdir(), ("more",)),
    "package: a title": replaced("datapackage.json", b"Pig", b"Pog"),
    "package: the licence": replaced("datapackage.json", b"CC-BY", b"CC-YB"),
    "package: a unit": replaced(STATES, b"points", b"coins"),
    "package: a file less": Forgery(only_listed(lambda path: path != ROWS), (ROWS, STATES), described=False),
    "package: no catalogue": Forgery(only_listed(lambda path: ".parquet" in path), ("dicebase.duckdb",), False),
    "package: a file outside": Forgery(moved_out, (ROWS,), described=False),
    **{
        f"package: the text {text!r}": written("datapackage.json", text, "datapackage.json", False)
        for text in ("", "{", "[]", "null")
    },
    "package: no resources": replaced("datapackage.json", b'"resources"', b'"others"'),
    "package: a shorter file": Forgery(lambda r: os.truncate(r / ACTIONS, 99), (ACTIONS, "/".join(PIG)), False),
}
