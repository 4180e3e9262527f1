"""Writes the files of a slice: the rows of its variants, and no half table.

A slice is `states.parquet` (one row a decision state) and `actions.parquet` (one row per state and action), sorted
by parameters, then state. Every field says what it is; the footer says where the file came from.
"""

import json
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.tables.names import Table, Variant
from dicebase.tables.schemas import ACTIONS, MIXED, STATES, actions_schema, states_schema
from dicebase.vocabulary.listing import Listing, State
from dicebase.vocabulary.ranking import Ranked
from dicebase.vocabulary.rationals import rational_text

ROW_GROUP = 500_000


class Rows:
    """The rows of one variant, column by column; `exact` is the rational value of the game where there is one."""

    def __init__(self, game: Listing, exact: Fraction | None = None) -> None:
        self.game, self.exact = game, exact
        self.state_columns: list[list] = [[] for _ in game.columns]
        self.values: list[float] = []
        self.best: list[str] = []
        self.margins: list[float | None] = []
        self.counts: list[int] = []  # actions by state
        self.actions: list[str] = []
        self.q_values: list[float] = []
        self.regrets: list[float] = []
        self.probabilities: list[float] = []
        self.optimal: list[bool] = []
        self.undecided: list[bool] = []
        self.more: list[list[float | bool]] = [[] for _ in game.more]

    def add_value(self, row: State, value: float, *more: float) -> None:
        """Append a row of a listing that stores no decisions; rows come in sorted order."""
        for column, entry in zip(self.state_columns, row, strict=True):
            column.append(entry)
        self.values.append(value)
        for column, entry in zip(self.more, more, strict=True):
            column.append(entry)
        self.counts.append(0)

    def set_values(self, rows: Sequence[np.ndarray], values: np.ndarray, *more: np.ndarray) -> None:
        """All rows of such a listing at once: an array for each column, in sorted order."""
        self.state_columns, self.values, self.more = list(rows), values, list(more)
        self.counts = np.zeros(len(values), dtype=np.int64)

    def set_states(
        self, states: Sequence[pa.Array], values: pa.Array, best: pa.Array, margins: pa.Array, *more: pa.Array
    ) -> None:
        """All states at once, without actions: where rows of states say everything (Layout.TWO_ACTIONS)."""
        self.state_columns, self.values, self.more = list(states), values, list(more)
        self.best, self.margins = best, margins
        self.counts = np.zeros(len(values), dtype=np.int64)

    def add(self, state: State, actions: Sequence[str], ranked: Ranked, *more: bool) -> None:
        """Append a state with its actions; states come in sorted order."""
        for column, entry in zip(self.state_columns, state, strict=True):
            column.append(entry)
        self.values.append(ranked.value)
        self.best.append(MIXED if ranked.best is None else actions[ranked.best])
        self.margins.append(ranked.margin)
        self.counts.append(len(actions))
        self.actions.extend(actions)
        self.q_values.extend(ranked.q_values)
        self.regrets.extend(ranked.regrets)
        self.probabilities.extend(ranked.probabilities)
        self.optimal.extend(ranked.optimal)
        self.undecided.extend(ranked.undecided)
        for column, entry in zip(self.more, more, strict=True):
            column.append(entry)


def parquet_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """Sorted tables compress best this way: doubles split by byte, dictionaries for the rest, zstd for all."""
    doubles = [f.name for f in schema if pa.types.is_floating(f.type)]
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        use_dictionary=[f.name for f in schema if f.name not in doubles],
        column_encoding=dict.fromkeys(doubles, "BYTE_STREAM_SPLIT"),
    )


class SliceWriter:
    """Writes the two files of a slice, variant by variant; nothing has its final name before `close()`."""

    def __init__(self, folder: Path, table: Table, game: Listing, key: Mapping[str, Any]) -> None:
        self.folder, self.table, self.key = folder, table, key
        self.variants: list[dict] = []
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".*.part"):  # of a killed run: a slice is one job's alone
            left.unlink(missing_ok=True)
        self.schemas = {STATES: states_schema(table, game), ACTIONS: actions_schema(table, game)}
        self.temporary = {name: folder / f".{name}.{os.getpid()}.part" for name in self.schemas}
        self.writers = {name: parquet_writer(self.temporary[name], schema) for name, schema in self.schemas.items()}
        self.waiting: dict[str, list[pa.Table]] = {name: [] for name in self.schemas}

    def add(self, variant: Variant, rows: Rows, game: Listing) -> None:
        """Append rows of a variant; rows of a variant, and variants, come in sorted order."""
        keys = [c if isinstance(c, pa.Array) else pa.array(c) for c in rows.state_columns]
        repeated = np.repeat(np.arange(len(rows.counts)), rows.counts)
        decision = [rows.best, rows.margins] if game.layout.stores_decisions else []
        self._append(STATES, variant, [*keys, rows.values, *decision, *rows.more])
        self._append(
            ACTIONS,
            variant,
            [
                *(k.take(pa.array(repeated)) for k in keys),
                rows.actions,
                rows.q_values,
                rows.regrets,
                rows.probabilities,
                rows.optimal,
                rows.undecided,
            ],
        )

    def end(self, variant: Variant, rows: Rows, seconds: float) -> None:
        """Say that all rows of a variant are there, of which these are the last."""
        continuation = rows.game.continuation
        self.variants.append(
            {
                "parameters": variant,
                "exact": None if rows.exact is None else rational_text(rows.exact),
                "continuation": continuation and continuation.text,
                "note": rows.game.note,
                "seconds": round(seconds, 4),
            }
        )

    def _append(self, name: str, variant: Variant, columns: list) -> None:
        length = len(columns[0])
        schema = self.schemas[name]
        arrays = [pa.repeat(pa.scalar(value), length) for value in variant.values()] + columns
        arrays = [
            a.cast(f.type) if isinstance(a, pa.Array) else pa.array(a, f.type)
            for a, f in zip(arrays, schema, strict=True)
        ]
        self.waiting[name].append(pa.Table.from_arrays(arrays, schema=schema))
        if sum(t.num_rows for t in self.waiting[name]) >= ROW_GROUP:
            self._flush(name)

    def _flush(self, name: str, last: bool = False) -> None:
        """Write what makes whole row groups, or all that is left."""
        if self.waiting[name]:
            waiting = pa.concat_tables(self.waiting[name])
            ready = waiting.num_rows if last else waiting.num_rows // ROW_GROUP * ROW_GROUP
            self.writers[name].write_table(waiting.slice(0, ready), row_group_size=ROW_GROUP)
            self.waiting[name] = [waiting.slice(ready)] if ready < waiting.num_rows else []

    def close(self) -> None:
        """Write the footers and give both files their names."""
        footer = {
            "dicebase.key": json.dumps(self.key, sort_keys=True),
            "dicebase.title": self.table.title,
            "dicebase.citation": self.table.rules_class.citation,
            "dicebase.variants": json.dumps(self.variants),
            "dicebase.versions": json.dumps({"dicebase": version("dicebase"), "pyarrow": pa.__version__}),
        }
        for name, writer in self.writers.items():
            self._flush(name, last=True)
            writer.add_key_value_metadata(footer)
            writer.close()
        # A pair is told apart by its keys, should the process die between the two.
        for name, temporary in self.temporary.items():
            os.replace(temporary, self.folder / name)

    def abandon(self) -> None:
        """Remove what was written so far."""
        for name, writer in self.writers.items():
            writer.close()
            self.temporary[name].unlink(missing_ok=True)
