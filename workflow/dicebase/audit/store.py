"""The table `audit`: one row a printed cell, computed from an open catalogue."""

from typing import TYPE_CHECKING

import pyarrow as pa

from dicebase.audit.catalogue import PLACES, VARIANTS, Catalogue
from dicebase.audit.described import cells
from dicebase.audit.findings import VERDICTS, findings, judge
from dicebase.audit.record import text
from dicebase.catalog.sql.table_views import comment
from dicebase.tables.parquet import field
from dicebase.vocabulary import DicebaseError

if TYPE_CHECKING:
    import duckdb

NAME, TITLE = "audit", "the printed record: one row a printed cell, with ours beside it"
SCHEMA = pa.schema(
    [
        field("source", pa.string(), "who prints it"),
        field("place", pa.string(), "which table of the source, or which part of it"),
        field("cell", pa.string(), "which cell of the place; no other cell of the place is called so"),
        field("printed", pa.string(), "the cell as printed; empty where it cannot be read"),
        field(
            "ours", pa.string(), "what dicebase has there: words, whole numbers, fractions, or 15 significant digits"
        ),
        field(
            "bound",
            pa.float64(),
            "ours is wrong by no more, by the certificate of its table; NULL where no certificate bounds it",
            "that of the cell",
            nullable=True,
        ),
        field("verdict", pa.string(), "one of: " + ", ".join(VERDICTS)),
        field("note", pa.string(), "why, with the reading under which the source is right; empty where it agrees"),
        field(
            "query",
            pa.string(),
            "the SQL that gives ours; after `from:` what ours follows from; or the name of what computes it",
        ),
    ]
)


def audit_table(connection: "duckdb.DuckDBPyConnection") -> pa.Table:
    """The audit of the places whose tables the catalogue has.

    Raises DicebaseError, naming the cell, where a cell disagrees and no finding says why, and where a finding is of a
    cell that agrees or that is not there.
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
                raise DicebaseError(f"audit: {', '.join(name)}: is there twice")
            names.add(name)
        seen |= names
        for name in found:
            if name[:2] == where and name not in seen:
                raise DicebaseError(f"audit: {', '.join(name)}: a finding is of a cell that is not there")
    for name in found:
        if not any(name[:2] == (place["source"], place["place"]) for place in PLACES):
            raise DicebaseError(f"audit: {', '.join(name)}: a finding is of a place that is not there")
    columns = zip(*rows, strict=True) if rows else [[] for _ in SCHEMA]
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)


def store_audit(connection: "duckdb.DuckDBPyConnection") -> None:
    """Create the table `audit` in the main schema, with comments; for the end of the build of a catalogue."""
    connection.register("audited", audit_table(connection))
    connection.execute(f"CREATE TABLE {NAME} AS SELECT * FROM audited")
    connection.unregister("audited")
    comment(connection, "TABLE", NAME, TITLE, SCHEMA)
