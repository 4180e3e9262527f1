"""Many positions at once: a frame in, the same rows in the same order as an Arrow table out."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.ask.answer import Answer, is_mix, margin_of
from dicebase.catalog.ask.batch_columns import (
    AskedColumn,
    Given,
    Place,
    asked_column,
    constant_column,
    first_failing,
    groups,
)
from dicebase.catalog.ask.one_position import substitute_answer
from dicebase.catalog.ask.question import asked_columns, read_variant, state_value
from dicebase.catalog.ask.solved_tables import SolvedTable, SolvedTables
from dicebase.catalog.ask.solved_variant import LARGE, Ranking
from dicebase.catalog.rows.row_arrays import VALUES, Part
from dicebase.tables.follow.rolls import ROLL, is_bust
from dicebase.tables.parquet import MIXED
from dicebase.vocabulary import ConfigurationError, Json, MissingStateError, MissingTableError, shown, similar

ANSWERED, BEYOND, BUST, UNREACHABLE, NOT_SOLVED = "answered", "beyond", "bust", "unreachable", "not solved"
STATUS = [ANSWERED, BEYOND, BUST, UNREACHABLE, NOT_SOLVED]
"""What became of a row: answered from stored rows, or by the theorem past them; a roll that loses the turn; a position
that no play comes to; a variant that is not solved."""

OTHERS = 1000
"""Columns of a frame that may pass through. Each is checked for a misspelt parameter or state column."""


class _Answers:
    """The answers to n positions; NaN, and -1 for an action, where there is none."""

    def __init__(self, table: SolvedTable, rows: int) -> None:
        self.decides = table.match.layout.decides
        names = ["value", "margin"] if self.decides else [c.name for c in (table.match.value, *table.match.more)]
        self.columns = {name: np.full(rows, np.nan) for name in names}
        self.action = np.full(rows, -1, np.int32)
        self.found = np.zeros(rows, bool)
        self.status = np.full(rows, STATUS.index(UNREACHABLE), np.int8)
        self.names: dict[str, int] = {}  # of actions

    def number(self, names: list[str]) -> np.ndarray:
        """The numbers of actions here."""
        return np.array([self.names.setdefault(name, len(self.names)) for name in names], np.int32)

    def answer(self, rows: np.ndarray | int, ranking: Ranking | Answer) -> None:
        """One answer for these rows."""
        self.found[rows] = True
        self.columns["value"][rows] = ranking.value
        margin = margin_of(ranking.actions)
        self.columns["margin"][rows] = np.nan if margin is None else margin
        self.action[rows] = self.number([MIXED if is_mix(ranking.actions) else ranking.actions[0].action])[0]

    def arrays(self) -> dict[str, pa.Array]:
        """As columns, NULL where there is no answer."""
        found = {name: pa.array(x, mask=np.isnan(x)) for name, x in self.columns.items()}
        if self.decides:
            names = pa.array([*self.names], pa.string())
            action = pa.DictionaryArray.from_arrays(pa.array(self.action, mask=self.action < 0), names)
            found = {"value": found["value"], "action": action.cast(pa.string()), "margin": found["margin"]}
        self.status[self.found & (self.status != STATUS.index(BEYOND))] = STATUS.index(ANSWERED)
        status = pa.DictionaryArray.from_arrays(pa.array(self.status), pa.array(STATUS))
        return found | {"status": status.cast(pa.string())}


def lookup_many(tables: SolvedTables, name: str, frame: object) -> pa.Table:
    """See Catalog.lookup_many."""
    table = tables[name]
    return answer_table(tables, table, as_table(frame, name))[0]


def as_table(frame: object, place: str) -> pa.Table:
    """A frame of Arrow, pandas or Polars; raises ConfigurationError, which begins with the place, for what is none."""
    try:
        if hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__"):
            rows = pa.table(frame)
            if rows.num_columns:
                return rows
    except (pa.ArrowException, TypeError, ValueError):
        pass
    what = f"an Arrow, pandas or Polars table with columns, not this {type(frame).__name__}"
    raise ConfigurationError(f"{place}: give {what}")


def lookup_rows(tables: SolvedTables, name: str, positions: Sequence[Json]) -> list[Json]:
    """Catalog.lookup_many of positions as dicts; a parameter that one leaves out is the default."""
    table, columns = tables[name], {}
    defaults = {n: p.default for n, p in table.parameters.items()} | dict(table.match.defaults)
    given = asking(table, list(dict.fromkeys(entry for position in positions for entry in position)))
    for column in given or list(defaults)[:1]:
        cells = [position.get(column, defaults.get(column)) for position in positions]
        # A number may be a text, a list a roll.
        if table.columns.get(column, "VARCHAR") == "VARCHAR" or column in table.match.defaults:
            cells = [str(cell) if isinstance(cell, int | list) else cell for cell in cells]
        try:
            columns[column] = pa.array(cells)
        except (pa.ArrowException, OverflowError, ValueError) as error:
            row = first_failing(len(cells), lambda count, cells=cells: pa.array(cells[:count]))
            wrong = f"{_row_of(name, len(cells), row)}: {column}={shown(cells[row])}"
            raise ConfigurationError(f"{wrong} is not a whole number, or a text, as those before") from error
    asked = pa.table(columns)
    answers = answer_table(tables, table, asked)[0].drop_columns(asked.column_names) if positions else asked
    return [dict(position) | answer for position, answer in zip(positions, answers.to_pylist(), strict=True)]


def answer_table(
    tables: SolvedTables, table: SolvedTable, frame: pa.Table, place: Place | None = None
) -> tuple[pa.Table, np.ndarray]:
    """Return (the answered frame, whether each row has an answer); errors name a wrong row by `place`."""
    place = place or partial(_row_of, table.name, frame.num_rows)
    schema = asked_columns(table, asking(table, frame.column_names))
    defaults = {n: p.default for n, p in table.parameters.items() if n not in frame.column_names}
    if not any(defaults.items() <= v.parameters.items() for v in table.variants):
        raise MissingTableError(table.not_solved(defaults))
    size, answers = frame.num_rows, _Answers(table, frame.num_rows)
    named = frame
    for alias, (column, before) in table.match.aliases.items():
        if alias in frame.column_names:
            words = pc.binary_join_element_wise(before, frame[alias].cast(pa.string()), "")
            named = named.append_column(column, words)
    defaults |= {n: x for n, x in table.match.defaults.items() if n not in named.column_names}
    given = {
        n: constant_column(defaults[n], size) if n in defaults else asked_column(table, named, n, schema[n], place)
        for n in schema
    }
    if frame.num_rows:
        given = _numbered(table, given, place)
        _follow(table, given, answers)
        if not table.is_rolled(given):
            for part in (part for kind, part in table.mapped.parts.items() if kind != VALUES):
                _read(part, given, answers)
        _beyond(table, given, answers)
        if table.match.answered_by:
            _substitute(tables, table, given, answers)
    for column, values in answers.arrays().items():
        frame = frame.append_column(column, values)
    return frame, answers.found


def _row_of(table: str, rows: int, row: int) -> str:
    """Where a row of a frame stands."""
    return f"{table}: row {row + 1} of {rows}"


def asking(table: SolvedTable, names: Sequence[str]) -> list[str]:
    """The columns that say what is asked; others pass through. Raises ConfigurationError for a column with the name of
    an answer, for a likely misspelling of a parameter or state column, and for more than OTHERS columns to pass
    through."""
    known = [*table.columns, *table.match.aliases, *([ROLL] if table.rolls else [])]
    for name in names:
        if name in ("value", "action", "margin", "status", *(c.name for c in table.match.more)):
            raise ConfigurationError(f"{table.name}: column '{name}' is what an answer is called; give it another name")
    others = [name for name in names if name not in known]
    if len(others) > OTHERS:
        many = f"{len(others)} columns, such as {', '.join(map(shown, others[:3]))}, are no parameters or state columns"
        raise ConfigurationError(f"{table.name}: {many}; at most {OTHERS} others may pass through")
    missing = set(known).difference(names)
    for name in others:
        if meant := similar(name, missing):
            unknown = f"'{name}' is no parameter or state column; did you mean '{meant}'?"
            raise ConfigurationError(f"{table.name}: {unknown}")
    return [name for name in names if name in known]


def _read(part: Part, given: Given, answers: _Answers) -> None:
    """Rows as they are stored, of positions that have no answer yet."""
    columns = [given[name] for name in part.columns]
    at = np.flatnonzero(np.logical_and.reduce([~answers.found, *(column.known for column in columns)]))
    if not len(at):
        return
    row = part.numbers([column.key(part, name)[at] for name, column in zip(part.columns, columns, strict=True)])
    at, rows = at[row >= 0], row[row >= 0]
    answers.found[at] = True
    for name, column in answers.columns.items():
        column[at] = part.rows(name if name in part.further else "value", rows)
    if not answers.decides:
        return
    if part.stored_actions is not None:
        answers.action[at] = answers.number(part.names)[part.rows("best", rows)]
    else:
        stop, roll = answers.number(part.names)
        margin = answers.columns["margin"][at]
        answers.action[at] = np.where(np.signbit(margin), stop, roll)
        answers.columns["margin"][at] = np.abs(margin)


def _follow(table: SolvedTable, given: Given, answers: _Answers) -> None:
    """Decisions that follow from stored rows, variant by variant."""
    rolled = table.is_rolled(given)
    if not (rolled or VALUES in table.mapped.parts or any(variant.by_starts for variant in table.variants)):
        return
    state = {n: column for n, column in given.items() if n not in table.parameters}
    known = np.logical_and.reduce([column.known for column in state.values()])
    for values, rows in groups(given, list(table.parameters), np.flatnonzero(known)):
        variant = table.find(values)
        if not variant or not (rolled or variant.followed or variant.by_starts):
            continue
        numbers = {n: column.numbers[rows] for n, column in state.items()}
        for some, choices in variant.choices(numbers, state[ROLL].texts if ROLL in state else ()):
            found = choices.found
            at = rows[some][found]
            answers.found[at] = True
            answers.columns["value"][at] = choices.values[found]
            answers.columns["margin"][at] = choices.margins[found]
            answers.action[at] = answers.number(choices.names)[choices.best[found]]


def _numbered(table: SolvedTable, given: Given, place: Place) -> Given:
    """Return the same columns, with numbers in place of words, such as those of boxes."""
    worded = [n for n in given if n in table.match.defaults and given[n].texts is not None]
    if not worded:
        return given
    found = {n: np.full(len(given[n].numbers), -1) for n in worded}
    for values, rows in groups(given, list(table.parameters), np.arange(len(next(iter(given.values())).numbers))):
        for name, column in ((n, given[n]) for n in worded if None not in values.values() and table.find(values)):
            here = rows[column.known[rows]]
            said, first, which = np.unique(column.numbers[here], return_index=True, return_inverse=True)
            numbers = []
            for text, row in zip(said, here[first].tolist(), strict=True):
                try:
                    numbers.append(state_value(table, values, name, "INTEGER", column.texts[text]))
                except ConfigurationError as error:
                    raise ConfigurationError(f"{place(row)}: {error}") from error
            found[name][here] = np.array([x if abs(x) < LARGE else -1 for x in numbers], np.int64)[which]
    return {n: AskedColumn(found[n], given[n].known) if n in found else column for n, column in given.items()}


def _beyond(table: SolvedTable, given: Given, answers: _Answers) -> None:
    """Of rows without an answer: those past the stored ones, position by position; and why the others have none."""
    rolls = [name for name in given if name == ROLL]
    for values, rows in groups(given, [*table.parameters, *rolls], np.flatnonzero(~answers.found)):
        roll = values.pop(ROLL, None)
        if not (variant := None if None in values.values() else table.find(values)):
            answers.status[rows] = STATUS.index(NOT_SOLVED)
        elif roll and is_bust(variant.game.rules, roll):
            answers.status[rows] = STATUS.index(BUST)
        elif variant.game.continuation:
            for state, at in groups(given, [name for name in given if name not in table.parameters], rows):
                if None not in state.values() and (ranking := variant.ranking_beyond(state)):
                    answers.answer(at, ranking)
                    answers.status[at] = STATUS.index(BEYOND)


def _substitute(tables: SolvedTables, table: SolvedTable, given: Given, answers: _Answers) -> None:
    """Positions of variants that are not solved, one at a time, as a lookup asks them."""
    for variant, rows in groups(given, list(table.parameters), np.flatnonzero(~answers.found)):
        if None in variant.values() or table.find(variant):
            continue
        for row in rows.tolist():
            state = {name: column.at(row) for name, column in given.items() if name not in variant}
            if None in state.values():
                continue
            try:
                answer = substitute_answer(tables, table, read_variant(table, variant), state)
            except (MissingTableError, ConfigurationError):
                continue
            except MissingStateError:
                answers.status[row] = STATUS.index(UNREACHABLE)
                continue
            answers.answer(row, answer)
