"""The columns of a frame that say what is asked, as numbers."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.solved_tables import SolvedTable
from dicebase.catalog.ask.solved_variant import LARGE
from dicebase.catalog.rows.row_arrays import Part
from dicebase.tables.follow.rolls import ROLL
from dicebase.vocabulary import ConfigurationError, as_roll, shown


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


NO_NUMBERS = pa.types.is_boolean, pa.types.is_temporal, pa.types.is_binary, pa.types.is_large_binary
"""The types of columns that are no numbers, although Arrow casts them to numbers."""

Given = Mapping[str, AskedColumn]
Place = Callable[[int], str]
"""Where a row stands, as people count; the row is counted from 0."""


def constant_column(value: int | str, rows: int) -> AskedColumn:
    """The same value in all rows."""
    known = np.full(rows, True)
    texts = [value] if isinstance(value, str) else None
    return AskedColumn(known * (0 if texts else value), known, texts)


def asked_column(table: SolvedTable, frame: pa.Table, name: str, kind: str, place: Place) -> AskedColumn:
    """Return a column as it is given; NULL, or a number such as 5.5, is the number of no row. Raises
    ConfigurationError, which begins with the place of a row, for what can be no text or number of any row."""
    column = frame[name].combine_chunks()
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    texts = kind == "VARCHAR" or (name in table.match.defaults and pa.types.is_string(column.type))  # or in words
    read = partial(_texts, name) if texts else _whole_numbers
    try:
        return read(column)
    except (pa.ArrowException, NotImplementedError) as error:
        what = "a text" if texts else "a whole number"
        if not len(column):
            raise ConfigurationError(f"{table.name}: {name}: {column.type} is not {what}") from error
        row = first_failing(len(column), lambda count: read(column[:count]))
        value = column[row].as_py()
        wrong = "too long" if isinstance(value, str) and value.removeprefix("-").isdecimal() else "not"
        raise ConfigurationError(f"{place(row)}: {name}={shown(value)} is {wrong} {what}") from error


def first_failing(size: int, read: Callable[[int], object]) -> int:
    """Return the first row that cannot be read; `read` reads the given number of rows at once, and some fail."""
    low, high = 0, size  # rows that can be read, and that cannot
    while high - low > 1:
        middle = (low + high) // 2
        try:
            read(middle)
            low = middle
        except Exception:
            high = middle
    return low


def _texts(name: str, column: pa.Array) -> AskedColumn:
    encoded = column.cast(pa.string()).dictionary_encode()
    texts = encoded.dictionary.to_pylist()
    numbers = encoded.indices.fill_null(-1).to_numpy()
    if name == ROLL:
        rolls: dict[str, int] = {}
        numbers = np.array([*(rolls.setdefault(as_roll(text), len(rolls)) for text in texts), -1])[numbers]
        texts = [*rolls]
    return AskedColumn(numbers, numbers >= 0, texts)


def _whole_numbers(column: pa.Array) -> AskedColumn:
    if any(is_of(column.type) for is_of in NO_NUMBERS):
        raise pa.ArrowTypeError("what Arrow would turn into numbers")
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
