"""Forgeries of the mapped rows, with their digests made again."""

import hashlib
import json
import shutil
import struct

from dicebase.catalog.rows.mapped_file import digests
from dicebase.catalog.rows.row_arrays import contents_name
from support.forgeries.forgery import EXCEED, PIG, Forgery


def forge(results, table, change_files=None, change=None):
    """Alter the files of mapped rows, or their description."""
    tables = json.loads((results / "mapped/tables.json").read_text())
    folder = results / "mapped" / table
    path = folder / contents_name(tables[table])
    contents = json.loads(path.read_text())
    for part in contents["parts"].values():
        for kind, file in part["files"].items():
            content = bytearray((folder / file["name"]).read_bytes())
            if change_files:
                change_files(kind, content)
            (folder / file["name"]).write_bytes(content)
            file |= {"bytes": len(content), "sha256": digests(folder / file["name"])}
    if change:
        change(contents)
    text = json.dumps(contents).encode()
    tables[table] = hashlib.sha256(text).hexdigest()
    path.unlink()
    (folder / contents_name(tables[table])).write_bytes(text)
    (results / "mapped/tables.json").write_text(json.dumps(tables))


def first_number(kind, content):
    if kind == "rows":
        content[:8] = struct.pack("<d", 0.99)


def a_bit(of_kind):
    def change(kind, content):
        if kind == of_kind:
            content[len(content) // 2] ^= 1

    return change


def in_files(table, change):
    return Forgery(lambda results: forge(results, table, change), ("mapped",))


def in_contents(change):
    return Forgery(lambda results: forge(results, "pig_turn", change=change), ("mapped",))


def in_variant(**said):
    return in_contents(lambda contents: contents["variants"][0].update(said))


def one_variant_more(contents):
    contents["variants"].append(contents["variants"][0] | {"parameters": {"sides": 5, "dice": 1}})


def one_table_less(results):
    tables = json.loads((results / "mapped/tables.json").read_text())
    del tables["pig_turn"]
    (results / "mapped/tables.json").write_text(json.dumps(tables))
    shutil.rmtree(results / "mapped/pig_turn")


def one_table_more(results):
    tables = json.loads((results / "mapped/tables.json").read_text())
    shutil.copytree(results / "mapped/pig_turn", results / "mapped/hog_turn")
    (results / "mapped/tables.json").write_text(json.dumps(tables | {"hog_turn": tables["pig_turn"]}))


TABLES = ("pig_turn", "pig_duel", "ten_thousand_duel", EXCEED[0])
FORGERIES = {
    **{f"mapped: a value of {table}": in_files(table, first_number) for table in TABLES},
    **{f"mapped: a bit of {kind}": in_files("pig_turn", a_bit(kind)) for kind in ("rows", "numbers", "actions")},
    "mapped: value of the game": in_variant(value=9.9),
    "mapped: unit": in_variant(unit="coins"),
    "mapped: note": in_variant(note="all proved"),
    "mapped: error bound": in_variant(error_bound=0.0),
    "mapped: kind of a column": in_contents(lambda contents: contents["columns"].update(turn_total="VARCHAR")),
    "mapped: names of actions": in_contents(lambda contents: contents["parts"]["decisions"]["actions"].reverse()),
    "mapped: a variant more": in_contents(one_variant_more),
    "mapped: another certificate": in_contents(lambda contents: contents["certificates"].update({PIG[1]: "{}"})),
    "mapped: a slice more": in_contents(lambda contents: contents["certificates"].update(more="{}")),
    "mapped: a table less": Forgery(one_table_less, ("mapped",)),
    "mapped: a table more": Forgery(one_table_more, ("mapped",)),
}
