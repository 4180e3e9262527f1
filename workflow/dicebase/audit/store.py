"""The table `audit`: one row per printed cell, computed from an open catalogue."""

from typing import TYPE_CHECKING

import pyarrow as pa

from dicebase.audit.catalogue import PLACES, VARIANTS, Catalogue
from dicebase.audit.findings import VERDICTS, findings, judge
from dicebase.audit.places import cells
from dicebase.audit.record import text
from dicebase.catalog.sql.table_views import comment
from dicebase.tables.parquet import field
from dicebase.vocabulary import DicebaseError

if TYPE_CHECKING:
    import duckdb

NAME, TITLE = "audit", "the printed record: one row per printed cell, with ours beside it"
SCHEMA = pa.schema(
    [
        field("source", pa.string(), "source of the printed cell"),
        field("place", pa.string(), "table of the source, or another part of it"),
        field("cell", pa.string(), "name of the cell, unique within the place"),
        field("printed", pa.string(), "the cell as printed; empty if it is illegible"),
        field("ours", pa.string(), "our value: words, whole numbers, fractions, or 15 significant digits"),
        field(
            "bound",
            pa.float64(),
            "bound on our error, certified with the table; NULL if no certificate covers the value",
            "that of the cell",
            nullable=True,
        ),
        field("verdict", pa.string(), "one of: " + ", ".join(VERDICTS)),
        field("note", pa.string(), "the reason, with the reading under which the source is right; empty if it agrees"),
        field("query", pa.string(), "SQL that gives ours, or after `from:` implies it, or the name of a function"),
    ]
)


def audit_table(connection: "duckdb.DuckDBPyConnection") -> pa.Table:
    """Return the audit of all places whose tables the catalogue has.

    Raises DicebaseError, which names the cell, if a cell disagrees without a finding, or if a finding is about a cell
    that agrees or does not exist.
    """
    catalogue, found, rows, seen = Catalogue(connection), findings(), [], set()
    for place in PLACES:
        if not all(catalogue.has(VARIANTS[name]) for name in place["needs"]):
            continue
        names, where = set(), (place["source"], place["place"])
        for cell in cells(catalogue, place):
            name = *where, cell.cell
            verdict, note = judge(name, cell, found)
            rows.append((*name, cell.printed, text(cell.ours.value), cell.ours.bound, verdict, note, cell.ours.query))
            if name in names:
                raise DicebaseError(f"audit: {', '.join(name)}: occurs twice")
            names.add(name)
        seen |= names
        for name in found:
            if name[:2] == where and name not in seen:
                raise DicebaseError(f"audit: {', '.join(name)}: a finding is about a cell that does not exist")
    for name in found:
        if not any(name[:2] == (place["source"], place["place"]) for place in PLACES):
            raise DicebaseError(f"audit: {', '.join(name)}: a finding is about a place that does not exist")
    columns = zip(*rows, strict=True) if rows else [[] for _ in SCHEMA]
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)


def store_audit(connection: "duckdb.DuckDBPyConnection") -> None:
    """Create the table `audit` in the main schema, with comments, as the last step of building a catalogue."""
    connection.register("audited", audit_table(connection))
    connection.execute(f"CREATE TABLE {NAME} AS SELECT * FROM audited")
    connection.unregister("audited")
    comment(connection, "TABLE", NAME, TITLE, SCHEMA)
