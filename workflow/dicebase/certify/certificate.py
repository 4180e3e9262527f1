"""Certificates: one row per variant, with what was checked and how wrong a value can be."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

import pyarrow as pa

from dicebase.matches.boards.board import BoardGame
from dicebase.tables.layout import SliceFiles, table_digest
from dicebase.tables.names import Table
from dicebase.tables.parquet import field, open_parquet, parameter_fields, read_slice
from dicebase.vocabulary import DamagedFileError, Json

OF_VALUE = "unit of the value"
MOST_TRANSITIONS = 500_000  # 200,000 of a bear-off for two take 170 KB, which the explorer loads when it needs them

Transitions = dict[str, Any]
"""The arrays of how play continues on a board, by name as in ARRAYS."""

ARRAYS = {"after": pa.int32(), "falls": pa.int32(), "weight": pa.float64(), "to": pa.int32(), "pays": pa.float64()}
ARRAYS["turns"] = pa.uint8()


@dataclass(frozen=True)
class Certificate:
    """The certificate of one variant; annotations give the description and unit of each field."""

    table: Annotated[str, "table name"]
    slice: Annotated[str, "name of the slice and of its files"]
    parameters: Annotated[dict[str, int | str], "the variant's parameters as JSON"]
    definitions: Annotated[Json, "definitions of the names used as parameters, as JSON"]
    store: Annotated[str, "what the files hold: all rows of the table, or only the starts of turns"]
    value: Annotated[float, "value of the game at its start, for the first player"]
    unit: Annotated[str, "unit of the values"]
    error_bound: Annotated[float, "largest possible error of a published value of the variant", OF_VALUE]
    error_bound_proof: Annotated[str, "why the bound holds"]
    exact: Annotated[str | None, "the exact value as numerator/denominator, if solved in rationals"]
    states: Annotated[int, "number of states with an answer, checked or derived from checked ones"]
    actions: Annotated[int, "number of actions in these states"]
    residual: Annotated[float, "largest Bellman residual of a state", OF_VALUE]
    simulated: Annotated[float | None, "mean payoff of games played by the table", OF_VALUE]
    simulated_low: Annotated[float | None, "smallest value consistent with these games", OF_VALUE]
    simulated_high: Annotated[float | None, "largest value consistent with these games", OF_VALUE]
    games: Annotated[int | None, "number of games played by the table"]
    solver: Annotated[str, "the function that made the table"]
    seconds: Annotated[float, "time to solve and write the variant", "seconds"]
    continuation: Annotated[str | None, "values beyond the last turn total, in rationals, as JSON"]
    note: Annotated[str, "how values follow beyond the stored states"]
    citation: Annotated[str, "where the game was published"]
    transitions: Annotated[
        Transitions | None,
        "how play continues: the afterstate that each action leads to (after), in the order of the table; play begins "
        "in afterstate 0; where the outcomes of each afterstate begin (falls); of each outcome the weight, the next "
        "row or -1 at the end (to), the mover's reward (pays), and 1 if the players change roles (turns); NULL if "
        f"there are more than {MOST_TRANSITIONS:,} outcomes",
    ] = None


def _field(name: str, kind: Any) -> pa.Field:
    """Return the Arrow field of an annotated attribute."""
    kinds = get_args(kind.__origin__) or (kind.__origin__,)
    arrays = pa.struct({n: pa.list_(pa.field("element", of, nullable=False)) for n, of in ARRAYS.items()})
    stored = {float: pa.float64(), int: pa.int64(), Transitions: arrays}.get(kinds[0], pa.string())
    return field(name, stored, *kind.__metadata__, nullable=NoneType in kinds)


*FIELDS, TRANSITIONS = (_field(*hint) for hint in get_type_hints(Certificate, include_extras=True).items())
"""The columns of certificates. Only those of boards have the last one, so that readers that play the game need not ask
the rules."""


def certificate_rows(certificates: Sequence[Certificate], table: Table, key: Json | None) -> pa.Table:
    """Return the certificates of a slice as the rows of its file, which also has a column for each parameter and, for a
    board, TRANSITIONS."""
    metadata = {"dicebase.key": json.dumps(key, sort_keys=True), "dicebase.title": table.title}
    further = [TRANSITIONS] * issubclass(table.match_class, BoardGame)
    schema = pa.schema([*parameter_fields(table), *FIELDS, *further], metadata)
    as_text = ("parameters", "definitions")
    rows = [c.parameters | vars(c) | {name: json.dumps(vars(c)[name]) for name in as_text} for c in certificates]
    return pa.Table.from_pylist(rows, schema)


VARIANT_FIELDS = {f.name: "name" if f.name == "table" else f.name for f in FIELDS if f.name != "slice"}
"""The columns of certificates that the view `tables` shows, each with its name in the view."""


def stored_key(certificate: Path) -> str:
    """Return the key stored in a certificate, as JSON."""
    return (open_parquet(certificate).schema_arrow.metadata or {}).get(b"dicebase.key", b"null").decode()


def checked_key(files: SliceFiles) -> str:
    """Return the stored key; raise DamagedFileError if the certificate does not belong to the slice's other files."""
    key = stored_key(files.certificate)
    if key == "null" or json.loads(key)["table"] != table_digest(read_slice(files)["key"]):
        raise DamagedFileError(f"{files.certificate}: certifies a different table than {files.rows}; certify it again")
    return key


def stored_transitions(certificates: Iterable[Path], parameters: Json) -> dict[str, Any]:
    """Return the transitions of a variant, from the certificates of its table; empty if there are none."""
    for path in certificates:
        file = open_parquet(path)
        if TRANSITIONS.name in file.schema_arrow.names:
            said = file.read(columns=["parameters", TRANSITIONS.name])
            for text, row in zip(said["parameters"].to_pylist(), said[TRANSITIONS.name], strict=True):
                if json.loads(text) == parameters and row.is_valid:
                    return {name: row[name].values.to_numpy() for name in row}
    return {}


def variants_of(certificates: list[Path]) -> list[Json]:
    """Return the variants of a table with the columns and the order of the view `tables`; parameters are dicts."""
    rows = [row for path in certificates for row in open_parquet(path).read(columns=[*VARIANT_FIELDS]).to_pylist()]
    rows.sort(key=lambda row: row["parameters"])
    return [
        {name: row[column] for column, name in VARIANT_FIELDS.items()} | {"parameters": json.loads(row["parameters"])}
        for row in rows
    ]
