"""The columns of a frame that say what is asked, as numbers."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.row_arrays import Part
from dicebase.catalog.solved_tables import SolvedTable
from dicebase.catalog.solved_variant import LARGE
from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import ConfigurationError, as_roll


class AskedColumn(NamedTuple):
    """A column of a question: whole numbers, or the numbers of texts."""

    numbers: np.ndarray
    known: np.ndarray  # whether there is one
    texts: list[str] | None = None

    def at(self, row: int) -> int | str | None:
        number = int(self.numbers[row])
        return None if not self.known[row] else number if self.texts is None else self.texts[number]

    def key(self, part: Part, name: str) -> np.ndarray:
        """The column of a key."""
        return self.numbers if self.texts is None else np.array([*part.codes(name, self.texts), -1])[self.numbers]


Given = Mapping[str, AskedColumn]


def constant_column(value: int | str, rows: int) -> AskedColumn:
    """The same value in all rows."""
    known = np.full(rows, True)
    texts = [value] if isinstance(value, str) else None
    return AskedColumn(known * (0 if texts else value), known, texts)


def asked_column(table: SolvedTable, frame: pa.Table, name: str, kind: str) -> AskedColumn:
    """A column as it is given; what is no whole number, such as NULL or 5.5, is the number of no row."""
    column = frame[name].combine_chunks()
    try:
        if kind == "VARCHAR" or (name in table.match.defaults and pa.types.is_string(column.type)):  # or in words
            encoded = column.cast(pa.string()).dictionary_encode()
            texts = encoded.dictionary.to_pylist()
            numbers = encoded.indices.fill_null(-1).to_numpy()
            if name == ROLL:
                rolls: dict[str, int] = {}
                numbers = np.array([*(rolls.setdefault(as_roll(text), len(rolls)) for text in texts), -1])[numbers]
                texts = [*rolls]
            return AskedColumn(numbers, numbers >= 0, texts)
        if pa.types.is_boolean(column.type):
            raise pa.ArrowTypeError("truth values")
        if pa.types.is_string(column.type) and pc.any(pc.match_substring(column, "x", ignore_case=True)).as_py():
            raise pa.ArrowTypeError("hexadecimal numbers")  # which a lookup refuses, and Arrow reads
        if pa.types.is_uint64(column.type):
            column = pc.if_else(pc.greater(column, pa.scalar(2**63 - 1, pa.uint64())), None, column)
        if pa.types.is_floating(column.type):
            whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), float(LARGE)))
            column = pc.if_else(whole, column, None)
        column = column.cast(pa.int64())
        least, greatest = pc.min_max(column).values()
        if not (pc.greater(least, -LARGE).as_py() and pc.less(greatest, LARGE).as_py()):
            column = pc.if_else(pc.less(pc.abs(column), LARGE), column, None)
    except (pa.ArrowException, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        what = "texts" if kind == "VARCHAR" else "whole numbers"
        raise ConfigurationError(f"{table.name}: {name}: not {what}: {reason}") from error
    return AskedColumn(column.fill_null(0).to_numpy(), column.is_valid().to_numpy(zero_copy_only=False))


def groups(given: Given, names: list[str], at: np.ndarray) -> Iterator[tuple[dict[str, int | str | None], np.ndarray]]:
    """The rows `at`, those together that have the same in some columns: (what they have there, the rows)."""
    if not len(at):
        return
    keys = [key[at] for name in names for key in given[name][:2]]
    keys, parts = [key for key in keys if (key != key[0]).any()], [at]
    if keys:
        order = np.lexsort(keys)
        changed = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
        parts = np.split(at[order], np.flatnonzero(changed) + 1)
    for rows in parts:
        yield {name: given[name].at(int(rows[0])) for name in names}, rows
