"""Answer a file of positions, piece by piece, into a file with the same rows in the same order."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq

from dicebase.catalog.ask.csv_files import check_csv, place_of, why_not_read
from dicebase.catalog.ask.many_positions import all_actions, lookup_many
from dicebase.catalog.ask.question import POSITION
from dicebase.catalog.lookup import Catalog
from dicebase.tables.follow.rolls import ROLL
from dicebase.tables.layout import replacing
from dicebase.vocabulary import ConfigurationError, MissingStateError, words

AT_ONCE = 250_000  # rows held in memory
KINDS = {".parquet": "Parquet", ".csv": "CSV", ".arrow": "Arrow", ".feather": "Arrow"}
"""The kind of a file by its suffix."""
WRITERS = {"Parquet": partial(pq.ParquetWriter, compression="zstd"), "CSV": pa.csv.CSVWriter, "Arrow": pa.ipc.new_file}


def answer_file(
    catalog: Catalog,
    table: str,
    source: Path,
    target: Path,
    strict: bool,
    progress: Callable[[int, int], object],
    actions: bool = False,
) -> tuple[int, int]:
    """Answer the positions in a file; return (number of rows, number of rows without an answer).

    source : a file with the state columns and any parameters; its suffix says its kind.
    target : the file to write: the rows of `source` with their answers. It appears only when it is complete.
    strict : raise MissingStateError, which names the row, for the first position without an answer.
    progress : called with the number of rows done and the number of all rows (0 if unknown).
    actions : write one row per action instead, as all_actions does.

    Raises ConfigurationError for an unknown kind of file, a file that cannot be read, and wrong columns.
    """
    solved, read, write = catalog.solved(table), kind_of(source), kind_of(target)
    done = unknown = 0
    with replacing(target) as temporary, _writer(write, temporary) as append:
        texts = [n for n, kind in solved.columns.items() if kind == "VARCHAR"] + [ROLL] * solved.rolls + [POSITION]
        for piece, total in pieces(read, source, texts):
            place = partial(_place, source, done)
            if actions:
                answered, found = all_actions(catalog.solved_tables, table, piece, place, done)
            else:
                answered, found = lookup_many(catalog.solved_tables, table, piece, place)
            if strict and not found.all():
                row = int(np.flatnonzero(~found)[0])
                position = words(piece.slice(row, 1).to_pylist()[0])
                raise MissingStateError(f"{place(row)}: {table} has no {position}")
            append(answered)
            done, unknown = done + piece.num_rows, unknown + int((~found).sum())
            progress(done, total)
    return done, unknown


def _place(path: Path, done: int, row: int) -> str:
    """Return the place in the file of a row of a piece; `done` rows of the file precede the piece."""
    return place_of(path, done + row)


def kind_of(path: Path) -> str:
    """Return the kind of a file; raises ConfigurationError for an unknown one."""
    if path.suffix.lower() not in KINDS:
        raise ConfigurationError(f"{path}: unknown kind of file; give a name that ends in {', '.join(KINDS)}")
    return KINDS[path.suffix.lower()]


def pieces(kind: str, path: Path, texts: list[str]) -> Iterator[tuple[pa.Table, int]]:
    """Yield (some rows, number of rows in the file or 0 if unknown), at least once. In a CSV file the columns `texts`
    are read as text even if they look like numbers."""
    try:
        if kind == "Parquet":
            file = pq.ParquetFile(path)
            batches, schema, total = file.iter_batches(AT_ONCE), file.schema_arrow, file.metadata.num_rows
        elif kind == "Arrow":
            batches, schema, total = *_arrow(path), 0
        else:
            check_csv(path)
            types = pa.csv.ConvertOptions(column_types=dict.fromkeys(texts, pa.string()))
            batches = pa.csv.open_csv(path, pa.csv.ReadOptions(block_size=1 << 22), convert_options=types)
            schema, total = batches.schema, 0
        empty = True
        for batch in batches:
            rows = pa.Table.from_batches([batch])
            for first in range(0, rows.num_rows, AT_ONCE):
                empty = False
                yield rows.slice(first, AT_ONCE), total
        if empty:
            yield schema.empty_table(), total
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: does not exist") from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        why = why_not_read(path, error) if kind == "CSV" else str(error).splitlines()[0]
        raise ConfigurationError(f"{path}: cannot be read as {kind}: {why}") from error


def _arrow(path: Path) -> tuple[Iterator[pa.RecordBatch], pa.Schema]:
    """Return the batches and the schema of an Arrow file or stream."""
    source = pa.memory_map(str(path))
    try:
        file = pa.ipc.open_file(source)
    except pa.ArrowInvalid:
        source.seek(0)
        stream = pa.ipc.open_stream(source)
        return iter(stream), stream.schema
    return (file.get_batch(i) for i in range(file.num_record_batches)), file.schema


@contextmanager
def _writer(kind: str, path: Path) -> Iterator[Callable[[pa.Table], None]]:
    """Yield a function that appends rows; the first rows determine the columns."""
    opened: list = []

    def append(rows: pa.Table) -> None:
        if not opened:
            opened.append(stack.enter_context(WRITERS[kind](path, rows.schema)))
        opened[0].write_table(rows)

    with ExitStack() as stack:
        yield append
