"""Write the files of a slice, so that a killed process never leaves half a table.

A file has one row per state, or per state and action, sorted by parameters, then state. Each field has a description;
the footer holds the provenance.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.tables.layout import ROW_FOLDERS, SliceFiles, replacing
from dicebase.tables.names import Table, Variant
from dicebase.tables.parquet import (
    MIXED,
    action_fields,
    beside_schema,
    pair_columns,
    pair_fields,
    state_fields,
    states_schema,
)
from dicebase.vocabulary import Json, Layout, Listing, Ranked, State, rational_text

ROW_GROUP = 100_000


class Rows:
    """The rows of one variant as columns; `exact` is the rational value of the game, if known."""

    def __init__(self, game: Listing, exact: Fraction | None = None) -> None:
        self.game, self.exact = game, exact
        self.states: dict[str, Any] = {f.name: [] for f in state_fields(game)}
        # Columns of the second file, without keys: of actions, or of pairs of policies.
        beside = pair_fields(game) if game.layout is Layout.PAIRS else action_fields(game)
        self.beside: dict[str, list] = {f.name: [] for f in beside}
        self.counts: list[int] = []  # number of actions per state, if they are stored

    def add_row(self, *entries: object) -> None:
        """Append a row without actions, one entry per column; rows must come in sorted order."""
        for column, entry in zip(self.states.values(), entries, strict=True):
            column.append(entry)

    def add_rows(self, rows: Iterable[Sequence[object]]) -> "Rows":
        """Append rows without actions, in sorted order; return these rows."""
        for row in rows:
            self.add_row(*row)
        return self

    def set_rows(self, *columns: Sequence | np.ndarray | pa.Array) -> "Rows":
        """Set all rows without actions at once, in sorted order; return these rows."""
        self.states = dict(zip(self.states, columns, strict=True))
        return self

    def set_pairs(self, pairs: Sequence[tuple[str, str]], places: Sequence[np.ndarray], *values: np.ndarray) -> None:
        """Set the values of pairs of policies, and the columns of `of_pairs`, each of shape (pairs, places), both in
        sorted order."""
        self.set_beside(*pair_columns(pairs, places), *map(np.ravel, values))

    def set_beside(self, *columns: Sequence | np.ndarray | pa.Array) -> None:
        """Set all rows of the second file at once, in sorted order."""
        self.beside = dict(zip(self.beside, columns, strict=True))

    def add(self, state: State, actions: Sequence[str], ranked: Ranked, *more: bool) -> None:
        """Append a state with its actions; states must come in sorted order."""
        best = MIXED if ranked.best is None else actions[ranked.best]
        self.add_row(*state, ranked.value, best, ranked.margin, *more)
        self.counts.append(len(actions))
        said = (ranked.q_values, ranked.regrets, ranked.probabilities, ranked.optimal, ranked.undecided)
        for column, entries in zip(self.beside.values(), (actions, *said), strict=True):
            column.extend(entries)


ENCODINGS = ("RLE_DICTIONARY", "PLAIN", "BYTE_STREAM_SPLIT")


def parquet_writer(path: Path, rows: pa.Table) -> pq.ParquetWriter:
    """A zstd writer of rows like these: it encodes each column of doubles in the way that takes the fewest bytes for
    `rows`, and all other columns as dictionaries."""
    doubles = {
        f.name: min(ENCODINGS, key=partial(_size, rows.select([f.name])))
        for f in rows.schema
        if pa.types.is_floating(f.type)
    }
    return _writer(path.absolute(), rows.schema, doubles)  # PyArrow may take a relative path for a URI


def _size(column: pa.Table, encoding: str) -> int:
    """Return the bytes of a file with this column alone."""
    file = pa.BufferOutputStream()
    with _writer(file, column.schema, dict.fromkeys(column.column_names, encoding)) as writer:
        writer.write_table(column)
    return file.tell()


def _writer(where: Path | pa.NativeFile, schema: pa.Schema, encodings: Mapping[str, str]) -> pq.ParquetWriter:
    """A writer with these encodings, and dictionaries for the other columns; the lists of a struct are split by byte,
    because their numbers hardly repeat."""
    others = {name: encoding for name, encoding in encodings.items() if encoding != ENCODINGS[0]}
    structs = [f for f in schema if pa.types.is_struct(f.type)]
    others |= {f"{f.name}.{of.name}.list.element": ENCODINGS[-1] for f in structs for of in f.type}
    listed = [name for name in schema.names if name not in others]
    how = {"compression": "zstd", "compression_level": 5}  # higher levels gain nothing
    return pq.ParquetWriter(where, schema, use_dictionary=listed, column_encoding=others, **how)


class RowFile:
    """A Parquet file that is opened when its first rows arrive."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path, self.schema = path, schema
        self.waiting: list[pa.Table] = []
        self._writer: pq.ParquetWriter | None = None

    def append(self, rows: pa.Table) -> None:
        self.waiting.append(rows)
        if sum(t.num_rows for t in self.waiting) >= ROW_GROUP:
            self._flush()

    def end(self, footer: Mapping[str, str]) -> None:
        """Write the remaining rows and the footer."""
        self._flush(last=True)
        self._writer.add_key_value_metadata(footer)
        self.close()

    def close(self) -> None:
        if self._writer:
            self._writer.close()

    def _flush(self, last: bool = False) -> None:
        """Write full row groups, or all remaining rows."""
        waiting = pa.concat_tables([self.schema.empty_table(), *self.waiting])
        ready = waiting.num_rows if last else waiting.num_rows // ROW_GROUP * ROW_GROUP
        if not self._writer:
            self._writer = parquet_writer(self.path, waiting[:ROW_GROUP])
        self._writer.write_table(waiting[:ready], row_group_size=ROW_GROUP)
        self.waiting = [waiting[ready:]]


class SliceWriter:
    """Writes the rows of a slice and of its second file, variant by variant."""

    def __init__(self, rows: RowFile, beside: RowFile | None = None) -> None:
        self.rows, self.beside = rows, beside
        self.variants: list[dict] = []

    def add(self, variant: Variant, rows: Rows) -> None:
        """Append rows of a variant; rows and variants must come in sorted order."""
        states = list(rows.states.values())
        self._append(self.rows, variant, states)
        if not self.beside:
            return
        # Each state is repeated for its actions; pairs of policies have no states.
        repeated = pa.array(np.repeat(np.arange(len(rows.counts)), rows.counts))
        columns = states[: len(rows.game.columns)] if len(rows.counts) else []
        keys = [pa.array(column[: len(rows.counts)]).take(repeated) for column in columns]
        self._append(self.beside, variant, [*keys, *rows.beside.values()])

    def end(self, variant: Variant, rows: Rows, seconds: float) -> None:
        """Record that a variant is complete; `rows` are its last rows."""
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

    @staticmethod
    def _append(file: RowFile, variant: Variant, columns: list) -> None:
        schema, length = file.schema, len(columns[0])
        columns = [*(pa.repeat(pa.scalar(value), length) for value in variant.values()), *columns]
        arrays = [
            a.cast(f.type) if isinstance(a, pa.Array) else pa.array(a, f.type)
            for a, f in zip(columns, schema, strict=True)
        ]
        file.append(pa.Table.from_arrays(arrays, schema=schema))


@contextmanager
def slice_writer(files: SliceFiles, table: Table, game: Listing, key: Json) -> Iterator[SliceWriter]:
    """Yield a writer for the files of a slice; they get their names if the block succeeds and are removed otherwise."""
    folders = table.folders(game)
    for folder in {*ROW_FOLDERS} - {*folders}:  # left by another layout
        files.within(folder).unlink(missing_ok=True)
    with ExitStack() as stack:
        # Files are renamed in reverse order. If the process dies in between, the keys show that they do not match.
        paths = {folder: stack.enter_context(replacing(files.within(folder))) for folder in reversed(folders)}
        schemas = [states_schema(table, game), beside_schema(table, game)]
        opened = [
            stack.enter_context(closing(RowFile(paths[folder], schema)))
            for folder, schema in zip(folders, schemas, strict=False)
        ]
        writer = SliceWriter(*opened)
        yield writer
        footer = {
            "dicebase.key": json.dumps(key, sort_keys=True),
            "dicebase.title": table.title,
            "dicebase.citation": table.rules_class.citation,
            "dicebase.variants": json.dumps(writer.variants),
            "dicebase.versions": json.dumps({"dicebase": version("dicebase"), "pyarrow": pa.__version__}),
        }
        for file in opened:
            file.end(footer)
