"""Forgeries of what people see: the explorer, the pages and the audit."""

import gzip
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq

from support.forgeries.forgery import Forgery, edited, written

BLOCK = "explorer/data/pig_turn/0.bin"


def shown(place, change):
    return edited(place, change, place.split("/")[0])


def replaced(place, old, new):
    return shown(place, lambda content: content.replace(old, new))


def appended(place, more):
    return shown(place, lambda content: content + more)


def a_bit(content):
    """Change a number in a block of the explorer."""
    content = gzip.decompress(content)
    return gzip.compress(content[:-1] + bytes([content[-1] ^ 1]), 6, mtime=0)


def a_name(content):
    """Add a file name to the header of a compressed block, which fewer programs can then read."""
    return content[:3] + b"\x08" + content[4:10] + b"hold\0" + content[10:]


def a_link(results):
    """Replace a block of the explorer by a link to a changed block outside of it."""
    place, outside = results / BLOCK, results.parent / "0.bin"
    outside.write_bytes(a_bit(place.read_bytes()))
    place.unlink()
    place.symlink_to(outside)


def one_table_less(results):
    path = results / "explorer/data/tables.json"
    contents = json.loads(path.read_text())
    contents["tables"] = [table for table in contents["tables"] if table["table"] != "pig_turn"]
    path.write_text(json.dumps(contents, separators=(",", ":")))
    shutil.rmtree(results / "explorer/data/pig_turn")


def other_units(results):
    path = results / "audit/audit.parquet"
    table = pq.read_table(path)
    pq.write_table(table.cast(pa.schema([f.with_metadata({"unit": "coins"}) for f in table.schema])), path)


FORGERIES = {
    "explorer: a bit": shown(BLOCK, a_bit),
    "explorer: bytes after a block": appended(BLOCK, bytes(8)),
    "explorer: a block in two parts": appended(BLOCK, gzip.compress(b"")),
    "explorer: a name in a block": shown(BLOCK, a_name),
    "explorer: a unit": replaced("explorer/data/pig_turn/table.json", b"points", b"coins"),
    "explorer: a title": replaced("explorer/data/tables.json", b"Pig", b"Pog"),
    "explorer: the page": appended("explorer/index.html", b"<p>hold</p>"),
    "explorer: the program": appended("explorer/explorer.js", b"\n"),
    "explorer: a table less": Forgery(one_table_less, ("explorer",)),
    "explorer: a file more": written("explorer/data/more.json", "{}", "explorer"),
    "explorer: a hidden file more": written("explorer/.more", "{}", "explorer"),
    "explorer: words in a stamp": written("explorer/.snakemake_timestamp", "hold", "explorer"),
    "explorer: a link": Forgery(a_link, ("explorer",)),
    "explorer: a link to nothing": Forgery(lambda r: (r / "explorer/more").symlink_to("nothing"), ("explorer",)),
    "pages: a unit": replaced("pages/values.html", b"points", b"coins"),
    "pages: an empty line": appended("pages/dictionary.md", b"\n"),
    "pages: a page less": Forgery(lambda results: (results / "pages/games.md").unlink(), ("pages",)),
    "audit: a sentence": appended("audit/index.md", b"\nAll agree.\n"),
    "audit: a row": appended("audit/audit.csv", b"me\n"),
    "audit: the unit of a column": Forgery(other_units, ("audit",)),
}
