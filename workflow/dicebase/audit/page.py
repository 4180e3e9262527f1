"""The page of the audit, and the table as Parquet and CSV: results/audit/{index.md, audit.parquet, audit.csv}."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from dicebase.audit.findings import AGREES, ILLEGIBLE, VERDICTS
from dicebase.audit.record import STANDARD_ERRORS, read
from dicebase.audit.store import NAME, SCHEMA, audit_table
from dicebase.tables.atomic import replacing
from dicebase.vocabulary.errors import DicebaseError

Row = dict[str, Any]


def write_audit(results: Path | str) -> Path:
    """Write the three files from the catalogue of a results folder; returns the path of the page."""
    catalogue, folder = Path(results) / "dicebase.duckdb", Path(results) / "audit"
    try:
        with duckdb.connect(str(catalogue), read_only=True) as connection:
            table = audit_of(connection)
    except duckdb.Error as error:
        raise DicebaseError(f"{catalogue}: cannot be read: {str(error).splitlines()[0]}") from error
    writers: dict[str, Callable[[Path], Any]] = {
        "audit.parquet": lambda path: pq.write_table(table, path, compression="zstd"),
        "audit.csv": lambda path: pyarrow.csv.write_csv(table, path),
        "index.md": lambda path: path.write_text(page(table.to_pylist()), encoding="utf-8"),
    }
    for name, write in writers.items():
        with replacing(folder / name) as temporary:
            write(temporary)
    return folder / "index.md"


def audit_of(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """The table `audit` of a catalogue; computed where a catalogue was built without it."""
    stored = connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = ?", [NAME]).fetchone()
    if not stored or not stored[0]:
        return audit_table(connection)
    found = connection.execute(f"SELECT * FROM {NAME}").fetchall()
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in found], SCHEMA)


def page(rows: list[Row]) -> str:
    """The page, as Markdown."""
    parts = [INTRODUCTION, *summary(rows), *disagreements(rows), *statements(rows), *sources(rows), CELLS]
    return "\n\n".join(parts) + "\n"


INTRODUCTION = f"""# The printed record

What others have printed of these games, cell by cell beside what dicebase computes. Every number below is computed
from the tables of this folder, or from the rules where no table has it; only why a cell disagrees is written by hand,
and a cell that disagrees without a reason, or a reason for a cell that agrees, stops the build.

A cell **agrees** if its word, whole number or fraction is ours, or if ours rounds to the printed digits (a half either
way); of equally good actions any will do. Otherwise it is

* **rounding**: less than one unit of the last printed digit away, because digits were cut off, because rounded numbers
  were made to add up, or because intermediate results were rounded; or an average of random games, at most
  {STANDARD_ERRORS} standard errors from the mean;
* **misprint**: another number or word than the one that the source's own rules, and its other numbers, give;
* **different quantity**: right, but the value of something else than what it is said to be;
* **unstated rules**: right under rules that the source does not state;
* **illegible**: lost or spoilt in the copy that was read. What the copy has there is in the notes of audit.csv; some
  cells are known to be lost only because they repeat a neighbour."""

CELLS = """## All cells

[audit.csv](audit.csv) and [audit.parquet](audit.parquet) have every cell, and the table `audit` of `dicebase.duckdb`
is the same: `source`, `place`, `cell`, `printed`, `ours`, `bound` (ours is wrong by no more, by the certificate of its
table; empty where no certificate bounds it), `verdict`, `note`, `query` (the SQL that gives ours; after `from:` the
SQL that ours follows from; or the name of what computes it)."""


def summary(rows: list[Row]) -> Iterator[str]:
    """How many cells of each place have which verdict."""
    yield "## Summary"
    if not rows:
        yield "The catalogue has none of the tables that printed cells are about."
        return
    counted = Counter(row["verdict"] for row in rows)
    shown = [verdict for verdict in VERDICTS if counted[verdict]]
    lines = []
    for (source, place), cells in groupby(rows, key=lambda row: (row["source"], row["place"])):
        found = Counter(row["verdict"] for row in cells)
        lines.append([source, place, found.total(), *(found[verdict] or "" for verdict in shown)])
    lines.append(["**all**", "", len(rows), *(counted[verdict] for verdict in shown)])
    yield table(["Source", "Place", "Cells", *shown], lines)


def disagreements(rows: list[Row]) -> Iterator[str]:
    """Every cell that neither agrees nor is lost, with the reasons."""
    yield "## What disagrees"
    differ = [row for row in rows if row["verdict"] not in (AGREES, ILLEGIBLE)]
    if not differ:
        yield "Nothing."
    for source, of in groupby(differ, key=lambda row: row["source"]):
        yield f"### {source}"
        cells = list(of)
        names = ("place", "cell", "printed", "ours", "bound", "verdict")
        lines = [[row["place"], code(row["cell"]), *(row[name] for name in names[2:])] for row in cells]
        yield table([name.capitalize() for name in names], [[shown(entry) for entry in line] for line in lines])
        for (place, verdict, note), same in groupby(cells, key=lambda r: (r["place"], r["verdict"], r["note"])):
            which = ", ".join(code(row["cell"]) for row in same)
            text, _, proof = note.rpartition(" (")
            yield f"**{place}**, {which}: *{verdict}*. {text} Proof: {code(proof.rstrip(')'))}."


def statements(rows: list[Row]) -> Iterator[str]:
    """What the sources say in words and formulas; they are no cells, and tests hold them."""
    audited = {row["source"] for row in rows}
    lines = [
        [row["source"], row["place"], row["says"], row["is"], code(row["test"])]
        for row in read("statements")
        if row["source"] in audited
    ]
    if lines:
        yield "## Statements and formulas"
        yield "What is not quite as the source says in words or formulas; a test of the project holds each."
        yield table(["Source", "Place", "Says", "Is", "Test"], lines)


def sources(rows: list[Row]) -> Iterator[str]:
    audited = {row["source"] for row in rows}
    found = [row for row in read("sources") if row["source"] in audited]
    if found:
        yield "## Sources"
        yield "\n".join(f"* **{row['source']}**: {row['citation']}. {row['remark']}".rstrip() for row in found)


def shown(entry: object) -> str:
    """An entry of a table; error bounds with two digits."""
    if entry is None:
        return ""
    return format(entry, ".1e") if isinstance(entry, float) else str(entry)


def code(text: str) -> str:
    """Names as they are: an underscore or a star is no emphasis."""
    return f"`{text}`" if text else ""


def table(heads: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    rule = ["-"] * len(heads)
    return "\n".join("|" + "|".join(f" {escaped(entry)} " for entry in line) + "|" for line in (heads, rule, *lines))


def escaped(entry: object) -> str:
    return str(entry).replace("|", "\\|")
