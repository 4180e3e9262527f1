"""Certificates: one row a variant, what was checked and how wrong a value can be."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from dicebase.tables.atomic import replacing
from dicebase.tables.names import Table
from dicebase.tables.schemas import field, parameter_fields
from dicebase.tables.writer import parquet_writer


@dataclass(frozen=True)
class Certificate:
    """What holds for one variant; `value` is that of the game at its very start, to the first mover."""

    table: str
    slice: str
    parameters: dict[str, int | str]
    definitions: dict[str, Any]
    value: float
    unit: str
    error_bound: float
    error_bound_proof: str
    exact: str | None
    states: int
    actions: int
    residual: float
    simulated: float | None
    simulated_low: float | None
    simulated_high: float | None
    games: int | None
    solver: str
    seconds: float
    continuation: str | None
    note: str
    citation: str


FIELDS = [
    field("table", pa.string(), "table name"),
    field("slice", pa.string(), "slice, the folder of the files"),
    field("parameters", pa.string(), "the variant's parameters as JSON"),
    field("definitions", pa.string(), "what the names among the parameters stand for, as JSON"),
    field("value", pa.float64(), "value of the game at its very start, to the first mover"),
    field("unit", pa.string(), "unit of the values"),
    field("error_bound", pa.float64(), "no published value of the variant is wrong by more", "unit of the value"),
    field("error_bound_proof", pa.string(), "why the bound holds"),
    field("exact", pa.string(), "the exact value as numerator/denominator, where solved in rationals", nullable=True),
    field("states", pa.int64(), "states that the views answer for: checked, or following from checked values"),
    field("actions", pa.int64(), "actions of these states"),
    field("residual", pa.float64(), "largest Bellman residual of a state", "unit of the value"),
    field("simulated", pa.float64(), "mean payoff of games played by the table", "unit of the value", nullable=True),
    field("simulated_low", pa.float64(), "least value these games agree with", "unit of the value", nullable=True),
    field("simulated_high", pa.float64(), "greatest value these games agree with", "unit of the value", nullable=True),
    field("games", pa.int64(), "games played by the table", nullable=True),
    field("solver", pa.string(), "the module that made the table"),
    field("seconds", pa.float64(), "time to solve and write the variant", "seconds"),
    field("continuation", pa.string(), "what holds beyond the last turn total, in rationals, as JSON", nullable=True),
    field("note", pa.string(), "what holds beyond the stored states"),
    field("citation", pa.string(), "where the game was published"),
]


def write_certificates(
    path: Path, certificates: Sequence[Certificate], table: Table, title: str, key: Mapping[str, Any] | None
) -> None:
    """Write the certificates of a slice, with the parameters as columns too; the file appears whole or not at all."""
    metadata = {"dicebase.key": json.dumps(key, sort_keys=True), "dicebase.title": title}
    schema = pa.schema([*parameter_fields(table), *FIELDS], metadata)
    columns = {p.name: [c.parameters[p.name] for c in certificates] for p in table.parameters}
    for f in fields(Certificate):
        columns[f.name] = [getattr(c, f.name) for c in certificates]
    for name in ("parameters", "definitions"):
        columns[name] = [json.dumps(getattr(c, name)) for c in certificates]
    rows = pa.Table.from_pydict({name: columns[name] for name in schema.names}, schema)
    with replacing(path) as temporary, parquet_writer(temporary, schema) as writer:
        writer.write_table(rows)
