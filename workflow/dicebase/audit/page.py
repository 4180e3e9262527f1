"""The audit as a page and as a table: results/audit/{index.md, audit.parquet, audit.csv}."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from dicebase.audit.findings import AGREES, ILLEGIBLE, VERDICTS
from dicebase.audit.record import STANDARD_ERRORS, read
from dicebase.audit.store import NAME, SCHEMA
from dicebase.tables.layout import AUDIT, CATALOG, replacing
from dicebase.tables.templates import code_span, render
from dicebase.vocabulary import DicebaseError, Json, bound


def write_audit(results: Path | str) -> Path:
    """Write the three files from the catalogue of a results folder, and return the path of the page."""
    catalogue, folder = Path(results).absolute() / CATALOG, Path(results) / AUDIT
    try:
        with duckdb.connect(str(catalogue), read_only=True) as connection:
            table = audit_of(connection)
    except duckdb.Error as error:
        what = f"{str(error).splitlines()[0]}; if it is damaged, delete it and build it again"
        raise DicebaseError(f"{catalogue}: cannot be read: {what}") from error
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
    """Return the table `audit` of a catalogue."""
    found = connection.execute(f"SELECT * FROM {NAME}").fetchall()
    return pa.Table.from_pylist([dict(zip(SCHEMA.names, row, strict=True)) for row in found], SCHEMA)


def page(rows: list[Json]) -> str:
    """Return the audit as a page in Markdown."""
    audited = {row["source"] for row in rows}
    verdicts = [verdict for verdict in VERDICTS if any(row["verdict"] == verdict for row in rows)]
    return render(
        "audit.md",
        standard_errors=STANDARD_ERRORS,
        verdicts=verdicts,
        places=list(summary(rows, verdicts)),
        differing=list(differing(rows)),
        statements=[
            [row["source"], row["place"], row["says"], row["is"], code_span(row["test"])]
            for row in read("statements")
            if row["source"] in audited
        ],
        sources=[row for row in read("sources") if row["source"] in audited],
    )


def summary(rows: list[Json], verdicts: list[str]) -> Iterator[list[object]]:
    """Yield the number of cells per place and verdict, then the totals; yield nothing if there are no cells."""
    for place, cells in groupby(rows, key=itemgetter("source", "place")):
        found = Counter(row["verdict"] for row in cells)
        yield [*place, found.total(), *(found[verdict] or "" for verdict in verdicts)]
    if rows:
        found = Counter(row["verdict"] for row in rows)
        yield ["all", "", len(rows), *(found[verdict] for verdict in verdicts)]


def differing(rows: list[Json]) -> Iterator[tuple[str, list, list]]:
    """Yield each source with its cells that disagree and the reasons, as the page shows them."""
    differ = (row for row in rows if row["verdict"] not in (AGREES, ILLEGIBLE))
    for source, of in groupby(differ, key=itemgetter("source")):
        cells = list(of)
        lines = [
            [row["place"], code_span(row["cell"]), row["printed"], row["ours"], bound(row["bound"]), row["verdict"]]
            for row in cells
        ]
        reasons = []
        for (place, verdict, note), same in groupby(cells, key=itemgetter("place", "verdict", "note")):
            text, _, proof = note.rpartition(" (")
            which = [code_span(row["cell"]) for row in same]
            reasons.append((place, which, verdict, text, code_span(proof.rstrip(")"))))
        yield source, lines, reasons
