"""Answer many positions at once: a frame in, an Arrow table with the same rows in the same order out."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.catalog.ask.answer import Action
from dicebase.catalog.ask.columns import BUST, UNREACHABLE, Answers, Asked, Place, asking, read_questions
from dicebase.catalog.ask.question import POSITION, read_text
from dicebase.catalog.ask.solved_table import SolvedTable, SolvedVariant
from dicebase.catalog.ask.solved_tables import SolvedTables
from dicebase.catalog.ask.sources import Source
from dicebase.tables.follow.rolls import ROLL, is_bust
from dicebase.vocabulary import ConfigurationError, Json, State

FIELDS = {"action": pa.string(), "q_value": pa.float64(), "regret": pa.float64(), "probability": pa.float64()}
FIELDS |= {"optimal": pa.bool_(), "undecided": pa.bool_()}
"""The fields of an Action under the column names of `<table>_actions`."""


def lookup_many(
    tables: SolvedTables, name: str, frame: pa.Table, place: Place | None = None
) -> tuple[pa.Table, np.ndarray]:
    """Return the frame with answers, and an array that says which rows have one; see Catalog.lookup_many. Error
    messages locate a wrong row with `place`."""
    table, size = tables[name], frame.num_rows
    place = place or partial(_row_of, name, size)
    asked = read_questions(table, _with_columns(table, frame, place), place)
    answers = Answers(table, size)
    if size:
        for source in tables.sources(name):
            source.many(asked, answers)
        _explain(asked, answers, tables.sources(name))
    for column, values in answers.arrays().items():
        frame = frame.append_column(column, values)
    return frame, ~answers.missing


def _explain(asked: Asked, answers: Answers, sources: Sequence[Source]) -> None:
    """Set the status of the rows without an answer."""
    rolls = [ROLL] if ROLL in asked.columns else []
    for variant, rows in asked.groups([*asked.parameters, *rolls], np.flatnonzero(answers.missing)):
        roll = variant.pop(ROLL, None)
        if game := next((source.game(variant) for source in sources if source.may_answer(variant)), None):
            answers.status[rows] = BUST if roll and is_bust(game.rules, roll) else UNREACHABLE


def _with_columns(table: SolvedTable, frame: pa.Table, place: Place) -> pa.Table:
    """Replace the texts of positions in a frame by state columns. Raises ConfigurationError, which begins with the
    place of the row, for a wrong text."""
    if POSITION not in asking(table, frame.column_names) or POSITION in table.columns:
        return frame
    names = [n for n in frame.column_names if n in table.parameters or n == POSITION]
    rows = []
    for row, given in enumerate(frame.select(names).to_pylist()):
        try:
            rows.append({} if given[POSITION] is None else read_text(table, given))
        except ConfigurationError as error:
            raise ConfigurationError(f"{place(row)}: {error}") from error
    found = [n for n in dict.fromkeys(chain.from_iterable(rows)) if n not in table.parameters]
    for name in found:
        texts = [row.get(name, table.match.defaults.get(name)) for row in rows]
        frame = frame.append_column(name, pa.array(map(_text, texts), pa.string()))
    return frame.drop_columns(POSITION)


def as_table(frame: object, place: str) -> pa.Table:
    """Convert a frame to Arrow: one of Arrow, pandas or Polars, a dict of columns, a list of dicts, or a NumPy array
    with named fields. Raises ConfigurationError, which begins with `place`, for any other object."""
    kind, why = type(frame).__name__, ""
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        frame = {n: frame[n] for n in frame.dtype.names}
    elif isinstance(frame, list) and all(isinstance(row, Mapping) for row in frame):
        frame = {n: [row.get(n) for row in frame] for n in dict.fromkeys(chain.from_iterable(frame))}
    try:
        rows = pa.table(dict(frame) if isinstance(frame, Mapping) else frame)
        if rows.num_columns:
            return rows
    except (pa.ArrowException, TypeError, ValueError) as error:
        why = f": {str(error).splitlines()[0]}" if isinstance(frame, Mapping) else ""
    what = "a table of Arrow, pandas or Polars, a dict of columns, a list of dicts or a NumPy array with named fields"
    raise ConfigurationError(f"{place}: give {what}, not this {kind}{why}")


def lookup_rows(tables: SolvedTables, name: str, positions: Sequence[Json]) -> list[Json]:
    """Answer positions given as dicts, as Catalog.lookup_many does; omitted parameters take their defaults."""
    table = tables[name]
    defaults = {n: p.default for n, p in table.parameters.items()} | dict(table.match.defaults)
    given = asking(table, list(dict.fromkeys(entry for position in positions for entry in position)))
    cells = {n: [position.get(n, defaults.get(n)) for position in positions] for n in given or list(defaults)[:1]}
    asked = pa.table({n: pa.array(map(_text, column), pa.string()) for n, column in cells.items()})
    answers = lookup_many(tables, name, asked)[0].drop_columns(asked.column_names) if positions else asked
    return [dict(position) | answer for position, answer in zip(positions, answers.to_pylist(), strict=True)]


def _text(cell: object) -> str | None:
    """Return a JSON value as text. Lone surrogates are replaced, because Arrow has no place for them."""
    return None if cell is None else str(cell).encode(errors="replace").decode()


def lookup_states(
    tables: SolvedTables, solved: SolvedVariant, states: Sequence[State]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the published value of each state of a game by turns, NaN if there is none, and the text of its best
    action. A state with one entry more than the table has columns ends in a roll to keep dice from, in place of the
    number of dice."""
    name = solved.table.name
    columns = [column for column in tables[name].columns if column not in solved.parameters]
    values, actions = np.full(len(states), np.nan), np.full(len(states), None)
    sizes = np.array([*map(len, states)])
    for size in np.unique(sizes):
        rows, names = np.flatnonzero(sizes == size), columns[:size]
        keys = [states[s] for s in rows]
        if size > len(columns):
            names, keys = [*columns[:-1], ROLL], [(*key[:-2], key[-1]) for key in keys]
        frame = {parameter: [value] * len(rows) for parameter, value in solved.parameters.items()}
        frame |= dict(zip(names, map(list, zip(*keys, strict=True)), strict=True))
        found = lookup_many(tables, name, as_table(frame, name))[0]
        values[rows], actions[rows] = found["value"].to_numpy(), found["action"].to_pylist()
        if size > len(columns):  # rolling on or stopping is the decision of the next position
            actions[rows] = [action and action.partition(", ")[0] for action in actions[rows]]
    return values, actions


def all_actions(
    tables: SolvedTables, name: str, frame: pa.Table, place: Place | None = None, first: int = 0
) -> tuple[pa.Table, np.ndarray]:
    """Return a table with one row per position and action, best first, and an array that says which positions have an
    answer.

    The column `row` numbers the positions from `first`. A position without an answer has one row, with NULL as its
    action; `status` says why.
    """
    table = tables[name]
    taken = [n for n in frame.column_names if n == "row" or n in FIELDS]
    if taken:
        raise ConfigurationError(f"{name}: column '{taken[0]}' has the name of an answer's column; rename it")
    if not table.match.layout.decides:
        raise ConfigurationError(f"{name}: lists no decisions, so it has no actions")
    answered, found = lookup_many(tables, name, frame, place)
    asked = asking(table, frame.column_names)
    known: dict[tuple, tuple[Action, ...]] = {}
    each: list[tuple[Action | None, ...]] = []
    for position, is_found in zip(_rows(frame.select(asked)), found.tolist(), strict=True):
        if is_found and position not in known:
            known[position] = tables.look_up(name, dict(zip(asked, position, strict=True))).actions
        each.append(known[position] if is_found else (None,))
    repeated = np.repeat(np.arange(len(each)), [*map(len, each)])
    actions = [action or (None,) * len(FIELDS) for of_row in each for action in of_row]
    out = frame.append_column("row", pa.array(np.arange(len(each)) + first)).append_column("status", answered["status"])
    out = out.take(repeated)
    for i, (field, kind) in enumerate(FIELDS.items()):
        out = out.append_column(field, pa.array([action[i] for action in actions], kind))
    return out, found


def _rows(frame: pa.Table) -> list[tuple[Any, ...]]:
    """Return the rows as a lookup reads them: floats that are whole become integers."""
    columns = (column.to_pylist() for column in frame.columns)
    whole = ([int(x) if isinstance(x, float) and x.is_integer() else x for x in column] for column in columns)
    return list(zip(*whole, strict=True)) if frame.num_columns else [()] * frame.num_rows


def _row_of(table: str, rows: int, row: int) -> str:
    """Return the place of a row of a frame for an error message."""
    return f"{table}: row {row + 1} of {rows}"
