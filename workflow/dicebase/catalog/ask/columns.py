"""Read the questions of a frame as columns of numbers, and collect the answers to them as columns."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.answer import Ranking, is_mix, margin_of
from dicebase.catalog.ask.question import LARGE, POSITION, asked_columns, spelled, state_value
from dicebase.catalog.ask.solved_table import SolvedTable
from dicebase.catalog.rows.row_arrays import Part
from dicebase.tables.follow.rolls import ROLL
from dicebase.tables.parameter_values import one_spelling
from dicebase.tables.parquet import MIXED
from dicebase.vocabulary import ConfigurationError, MissingTableError, as_roll, shown, similar

ANSWERED, BEYOND, BUST, UNREACHABLE, NOT_SOLVED = range(5)
STATUS = ["answered", "beyond", "bust", "unreachable", "not solved"]
"""The status of a row: answered from stored rows; answered by the theorem past them; a roll that loses the turn; a
position that play cannot reach; a variant that is not solved."""

OTHERS = 1000
"""The most columns that a frame may have besides parameters and state columns; each is checked for a misspelt one."""

NO_NUMBERS = pa.types.is_boolean, pa.types.is_temporal, pa.types.is_binary, pa.types.is_large_binary
"""The column types that are not numbers although Arrow casts them to numbers."""

Place = Callable[[int], str]
"""A function that takes the number of a row, from 0, and returns the words that locate it in an error message."""

Values = dict[str, int | str | None]


class AskedColumn(NamedTuple):
    """A column of n questions: integers, or indices into `texts`."""

    numbers: np.ndarray  # (n,)
    known: np.ndarray  # (n,) whether the row has a value
    texts: list[str] | None = None

    def at(self, row: int) -> int | str | None:
        number = int(self.numbers[row])
        return None if not self.known[row] else number if self.texts is None else self.texts[number]

    def key(self, part: Part, name: str) -> np.ndarray:
        """Return the numbers of this column in the keys of a part, shape (n,); -1 for a text that no row has."""
        return self.numbers if self.texts is None else np.array([*part.codes(name, self.texts), -1])[self.numbers]


class Asked:
    """The columns of n positions of a table."""

    def __init__(self, table: SolvedTable, columns: Mapping[str, AskedColumn]) -> None:
        self.columns, self.parameters = columns, list(table.parameters)
        self.state = {name: column for name, column in columns.items() if name not in table.parameters}

    def known(self, names: Sequence[str] | Mapping[str, AskedColumn]) -> np.ndarray:
        """Return whether each row has a value in all of these columns, shape (n,)."""
        return np.logical_and.reduce([self.columns[name].known for name in names])

    def variants(self, among: np.ndarray) -> Iterator[tuple[Values, np.ndarray]]:
        """Yield (a variant, its rows) for the rows where `among`, shape (n,), is true."""
        return self.groups(self.parameters, np.flatnonzero(among))

    def states(self, rows: np.ndarray) -> Iterator[tuple[Values, np.ndarray]]:
        """Yield (a state, its rows) for some rows of a variant, skipping rows that lack a column."""
        return self.groups([*self.state], rows[self.known(self.state)[rows]])

    def groups(self, names: Sequence[str], rows: np.ndarray) -> Iterator[tuple[Values, np.ndarray]]:
        """Yield ({name: value}, rows) for each group of rows with the same values in these columns."""
        if not len(rows):
            return
        keys = [key[rows] for name in names for key in self.columns[name][:2]]
        keys, parts = [key for key in keys if (key != key[0]).any()], [rows]
        if keys:
            order = np.lexsort(keys)
            changed = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
            parts = np.split(rows[order], np.flatnonzero(changed) + 1)
        for some in parts:
            yield {name: self.columns[name].at(int(some[0])) for name in names}, some


class Answers:
    """The answers to n positions; a missing answer is NaN, a missing action -1."""

    def __init__(self, table: SolvedTable, rows: int) -> None:
        self.decides = table.match.layout.decides
        names = ["value", "margin"] if self.decides else [c.name for c in (table.match.value, *table.match.more)]
        self.columns = {name: np.full(rows, np.nan) for name in names}
        self.action = np.full(rows, -1, np.int32)
        self.missing = np.ones(rows, bool)
        self.status = np.full(rows, NOT_SOLVED, np.int8)
        self.names: dict[str, int] = {}  # number of each action

    def fill(self, rows: np.ndarray, columns: Mapping[str, Any], names: Sequence[str] = (), best: Any = 0) -> None:
        """Answer some rows; `best` holds the indices of their best actions in `names`."""
        self.missing[rows], self.status[rows] = False, ANSWERED
        for name, column in columns.items():
            self.columns[name][rows] = column
        if names:
            numbers = [self.names.setdefault(name, len(self.names)) for name in names]
            self.action[rows] = np.array(numbers, np.int32)[best]

    def rank(self, rows: np.ndarray, ranking: Ranking) -> None:
        """Give all of these rows the same answer."""
        margin, first = margin_of(ranking.actions), ranking.actions[0].action
        columns = {"value": ranking.value, "margin": np.nan if margin is None else margin}
        best = MIXED if is_mix(ranking.actions) else first
        self.fill(rows, columns, [best])
        if ranking.beyond:
            self.status[rows] = BEYOND

    def arrays(self) -> dict[str, pa.Array]:
        """Return the answers as Arrow columns; missing ones are NULL."""
        found = {name: pa.array(x, mask=np.isnan(x)) for name, x in self.columns.items()}
        if self.decides:
            names = pa.array([*self.names], pa.string())
            action = pa.DictionaryArray.from_arrays(pa.array(self.action, mask=self.action < 0), names)
            found = {"value": found["value"], "action": action.cast(pa.string()), "margin": found["margin"]}
        status = pa.DictionaryArray.from_arrays(pa.array(self.status), pa.array(STATUS))
        return found | {"status": status.cast(pa.string())}


def read_questions(table: SolvedTable, frame: pa.Table, place: Place) -> Asked:
    """Read the questions of a frame; error messages locate a wrong row with `place`."""
    schema, size = asked_columns(table, asking(table, frame.column_names)), frame.num_rows
    defaults = {n: p.default for n, p in table.parameters.items() if n not in frame.column_names}
    if not any(defaults.items() <= v.parameters.items() for v in table.variants):
        raise MissingTableError(table.not_solved(defaults))
    for alias, (column, before) in table.match.aliases.items():
        if alias in frame.column_names:
            words = pc.binary_join_element_wise(before, frame[alias].cast(pa.string()), "")
            frame = frame.append_column(column, words)
    defaults |= {n: x for n, x in table.match.defaults.items() if n not in frame.column_names}
    columns = {
        n: _constant(defaults[n], size) if n in defaults else asked_column(table, frame, n, schema[n], place)
        for n in schema
    }
    return Asked(table, _in_numbers(table, columns, place) if size else columns)


def asking(table: SolvedTable, names: Sequence[str]) -> list[str]:
    """Return the names that are parameters or state columns; other columns pass through. Raises ConfigurationError for
    a column named like an answer, for a likely misspelling, and for more than OTHERS columns to pass through."""
    known = [*table.columns, *table.match.aliases, *([ROLL] if table.rolls else []), POSITION]
    for name in names:
        if name in ("value", "action", "margin", "status", *(c.name for c in table.match.more)):
            raise ConfigurationError(f"{table.name}: column '{name}' has the name of an answer's column; rename it")
    others = [name for name in names if name not in known]
    if len(others) > OTHERS:
        many = f"{len(others)} columns ({', '.join(map(shown, others[:3]))}, ...) are not parameters or state columns"
        raise ConfigurationError(f"{table.name}: {many}; at most {OTHERS} others may pass through")
    missing = {*known} - {POSITION, *names}
    for name in others:
        if meant := similar(name, missing):
            unknown = f"'{name}' is not a parameter or state column; did you mean '{meant}'?"
            raise ConfigurationError(f"{table.name}: {unknown}")
    return [name for name in names if name in known]


def _constant(value: int | str, rows: int) -> AskedColumn:
    known = np.full(rows, True)
    texts = [value] if isinstance(value, str) else None
    return AskedColumn(known * (0 if texts else value), known, texts)


def asked_column(table: SolvedTable, frame: pa.Table, name: str, kind: str, place: Place) -> AskedColumn:
    """Read a column of a frame. NULL and numbers such as 5.5 become unknown, because no row has them. Raises
    ConfigurationError, which begins with the place of the row, for a value of the wrong type."""
    column = frame[name].combine_chunks()
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    texts = kind == "VARCHAR" or (name in table.match.defaults and pa.types.is_string(column.type))  # or in words
    spelling = as_roll if name == ROLL else one_spelling if name in table.parameters else partial(spelled, table, name)
    read = partial(_texts, spelling) if texts else _whole_numbers
    try:
        return read(column)
    except ConfigurationError as error:
        raise ConfigurationError(
            f"{place(first_failing(len(column), lambda count: read(column[:count])))}: {error}"
        ) from error
    except (pa.ArrowException, NotImplementedError) as error:
        what = "a text" if texts else "a whole number"
        if not len(column):
            raise ConfigurationError(f"{table.name}: {name}: {column.type} is not {what}") from error
        row = first_failing(len(column), lambda count: read(column[:count]))
        value = column[row].as_py()
        wrong = "too long" if isinstance(value, str) and value.removeprefix("-").isdecimal() else "not"
        raise ConfigurationError(f"{place(row)}: {name}={shown(value)} is {wrong} {what}") from error


def first_failing(size: int, read: Callable[[int], object]) -> int:
    """Find the first of `size` rows that cannot be read, by bisection. `read(count)` reads the first `count` rows and
    raises an exception if one of them is wrong. At least one row must be wrong."""

    def fails(last: int) -> bool:
        try:
            read(last + 1)
        except Exception:
            return True
        return False

    return bisect_left(range(size), True, key=fails)


def _texts(spelling: Callable[[str], str], column: pa.Array) -> AskedColumn:
    encoded = column.cast(pa.string()).dictionary_encode()
    texts: dict[str, int] = {}
    numbers = [texts.setdefault(spelling(text), len(texts)) for text in encoded.dictionary.to_pylist()]
    found = np.array([*numbers, -1])[encoded.indices.fill_null(-1).to_numpy()]
    return AskedColumn(found, found >= 0, [*texts])


def _whole_numbers(column: pa.Array) -> AskedColumn:
    if any(is_of(column.type) for is_of in NO_NUMBERS):
        raise pa.ArrowTypeError("what Arrow would turn into numbers")
    if pa.types.is_string(column.type) and pc.any(pc.match_substring(column, "x", ignore_case=True)).as_py():
        raise pa.ArrowTypeError("hexadecimal numbers")  # Arrow reads them, but a single lookup does not
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


def _in_numbers(table: SolvedTable, columns: Mapping[str, AskedColumn], place: Place) -> Mapping[str, AskedColumn]:
    """Replace words, such as the names of boxes, by the numbers they stand for."""
    worded = [n for n in columns if n in table.match.defaults and columns[n].texts is not None]
    found = {n: np.full(len(columns[n].numbers), -1) for n in worded}
    for name in worded:
        column = columns[name]
        for values, rows in Asked(table, columns).groups([*table.parameters, name], np.flatnonzero(column.known)):
            text = values.pop(name)
            if None not in values.values() and table.find(values):
                try:
                    number = state_value(table, values, name, "INTEGER", text)
                except ConfigurationError as error:
                    raise ConfigurationError(f"{place(int(rows.min()))}: {error}") from error
                found[name][rows] = number if abs(number) < LARGE else -1
    return {n: AskedColumn(found[n], column.known) if n in found else column for n, column in columns.items()}
