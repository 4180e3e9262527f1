"""Many positions at once: a frame in, the same rows in the same order as an Arrow table out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dicebase.catalog.another import answer_by_another
from dicebase.catalog.question import asked_columns, sorted_dice
from dicebase.catalog.rolls import ROLL
from dicebase.catalog.row_arrays import Part
from dicebase.catalog.solved import LARGE, Solved
from dicebase.tables.follow.choices import Choices
from dicebase.tables.schemas import MIXED
from dicebase.vocabulary.errors import ConfigurationError, MissingStateError, MissingTableError

if TYPE_CHECKING:
    from dicebase.catalog.lookup import Catalog


class _Answers:
    """The answers to n positions; NaN, and -1 for an action, where there is none."""

    def __init__(self, solved: Solved, rows: int) -> None:
        self.decides = solved.match.layout.decides
        answer = [c.name for c in (solved.match.value, *solved.match.more)]
        names = ["value", "margin"] if self.decides else answer
        self.columns = {name: np.full(rows, np.nan) for name in names}
        self.action = np.full(rows, -1, np.int32)
        self.found = np.zeros(rows, bool)
        self.names: list[str] = []

    def number(self, names: list[str]) -> np.ndarray:
        """The numbers of actions here."""
        known = {name: i for i, name in enumerate(self.names)}
        numbers = [known.setdefault(name, len(known)) for name in names]
        self.names = list(known)
        return np.array(numbers, np.int32)

    def arrays(self) -> dict[str, pa.Array]:
        """As columns, NULL where there is no answer."""
        found = {name: pa.array(x, mask=np.isnan(x)) for name, x in self.columns.items()}
        if self.decides:
            names = pa.array(self.names, pa.string())
            action = pa.DictionaryArray.from_arrays(pa.array(self.action, mask=self.action < 0), names)
            found = {"value": found["value"], "action": action.cast(pa.string()), "margin": found["margin"]}
        return found


def lookup_many(catalog: Catalog, solved: Solved, frame: Any) -> pa.Table:
    """See Catalog.lookup_many."""
    return answer_table(catalog, solved, as_table(solved, frame))[0]


def as_table(solved: Solved, frame: Any) -> pa.Table:
    """A frame of any library as an Arrow table; raises ConfigurationError for what is none."""
    known = isinstance(frame, pa.Table) or hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "__arrow_c_array__")
    table = pa.table(frame) if known else None
    if table is None or not table.num_columns:
        what = f"an Arrow, pandas or Polars table with columns, not this {type(frame).__name__}"
        raise ConfigurationError(f"{solved.name}: give {what}")
    return table


def answer_table(catalog: Catalog, solved: Solved, frame: pa.Table) -> tuple[pa.Table, np.ndarray]:
    """(the answered frame, whether each row has an answer)."""
    schema = asked_columns(solved, frame.column_names)
    defaults = {n: p.default for n, p in solved.parameters.items() if n not in frame.column_names}
    if not any(defaults.items() <= row["parameters"].items() for row in solved.variants):
        raise MissingTableError(solved.not_solved(defaults))
    given = {}
    for name, kind in schema.items():
        if name in defaults:
            given[name] = defaults[name]
        else:
            column = frame[name].combine_chunks()
            dice = name not in solved.parameters
            given[name] = _texts(column, dice) if kind == "VARCHAR" else _numbers(solved, name, column)
    answers = _Answers(solved, frame.num_rows)
    if frame.num_rows:
        for part in solved.mapped.parts.values():
            if solved.is_rolled(given) or solved.follows(part):
                _follow(solved, part, given, answers)
            else:
                _read(part, given, answers)
        if solved.match.answered_by:
            _ask_another(catalog, solved, given, answers)
    for name, column in answers.arrays().items():
        frame = frame.append_column(name, column)
    return frame, answers.found


Column = Any
"""A column of a question: one value for all rows; whole numbers (values, whether they are known); or texts as
(different texts, the number of each row's text, -1 where there is none)."""


def _numbers(solved: Solved, name: str, column: pa.Array) -> Column:
    """Whole numbers; what is none, such as NULL or 5.5, is the number of no row."""
    try:
        if pa.types.is_uint64(column.type):
            column = pc.if_else(pc.greater(column, pa.scalar(2**63 - 1, pa.uint64())), None, column)
        if pa.types.is_floating(column.type):
            whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less(pc.abs(column), float(LARGE)))
            column = pc.if_else(whole, column, None)
        column = column.cast(pa.int64())
        column = pc.if_else(pc.less(pc.abs(column), LARGE), column, None)
    except (pa.ArrowException, NotImplementedError) as error:
        reason = str(error).splitlines()[0]
        raise ConfigurationError(f"{solved.name}: {name}: not whole numbers: {reason}") from error
    known = column.is_valid().to_numpy(zero_copy_only=False)
    return column.fill_null(0).to_numpy(), known


def _texts(column: pa.Array, dice: bool) -> Column:
    encoded = column.cast(pa.string()).dictionary_encode()
    texts = [sorted_dice(text) if dice else text for text in encoded.dictionary.to_pylist()]
    return texts, encoded.indices.fill_null(-1).to_numpy()


def _key(part: Part, given: dict[str, Column], rows: int) -> tuple[list[np.ndarray], np.ndarray]:
    """(the key columns of all rows, whether they are known)."""
    key, known = [], np.ones(rows, bool)
    for name in part.columns:
        value = given[name]
        if not isinstance(value, tuple):
            column = np.full(rows, part.key({name: value})[0])
        elif name in part.texts:
            texts, codes = value
            column = np.append(part.codes(name, texts), -1)[codes]
        else:
            column, valid = value
            known &= valid
        key.append(column)
    return key, known


def _read(part: Part, given: dict[str, Column], answers: _Answers) -> None:
    """Rows as they are stored."""
    key, known = _key(part, given, len(answers.found))
    row = part.ranks.ranks(key)
    at = np.flatnonzero((row >= 0) & known)
    rows = part.rows[row[at]]
    answers.found[at] = True
    for name, column in answers.columns.items():
        column[at] = rows["value" if name not in rows.dtype.names else name]
    if not answers.decides:
        return
    if part.actions is not None:
        answers.action[at] = answers.number(part.names)[rows["best"]]
    else:
        stop, roll = answers.number(part.names)
        answers.action[at] = np.where(np.signbit(rows["margin"]), stop, roll)
        answers.columns["margin"][at] = np.abs(rows["margin"])


def _follow(solved: Solved, part: Part, given: dict[str, Column], answers: _Answers) -> None:
    """Decisions that follow from stored rows, variant by variant, and roll by roll where dice are kept."""
    state = {n: value for n, value in given.items() if n not in solved.parameters and n != ROLL}
    known = np.logical_and.reduce([valid for _, valid in state.values()])
    for certified, roll, at in _alike(solved, given, np.flatnonzero(known)):
        if solved.part(certified["parameters"]) is not part:
            continue
        chosen = solved.choices(certified, {n: values[at] for n, (values, _) in state.items()}, roll)
        if chosen is not None:
            _take(*chosen, at, answers)


def _take(choices: Choices, found: np.ndarray, at: np.ndarray, answers: _Answers) -> None:
    at = at[found]
    answers.found[at] = True
    answers.columns["value"][at] = choices.values[found]
    answers.columns["margin"][at] = choices.margins[found]
    answers.action[at] = answers.number(choices.names)[choices.best[found]]


def _ask_another(catalog: Catalog, solved: Solved, given: dict[str, Column], answers: _Answers) -> None:
    """Positions of variants that are not solved, one at a time, as a lookup asks them."""
    for variant, rows in _groups(given, list(solved.parameters), np.flatnonzero(~answers.found)):
        if None in variant.values() or solved.certified(variant):
            continue
        for row in rows.tolist():
            state = {name: _value(column, row) for name, column in given.items() if name not in variant}
            if None in state.values():
                continue
            try:
                actions = (answer := answer_by_another(catalog, solved, variant, state))["actions"]
            except (MissingTableError, MissingStateError, ConfigurationError):
                continue
            mixes = 0 < actions[0]["probability"] < 1
            answers.found[row] = True
            answers.columns["value"][row] = answer["value"]
            answers.columns["margin"][row] = actions[1]["regret"] if len(actions) > 1 and not mixes else np.nan
            answers.action[row] = answers.number([MIXED if mixes else actions[0]["action"]])[0]


def _value(column: Column, row: int) -> int | str | None:
    """What a question has in a row; None where it is not known."""
    if not isinstance(column, tuple):
        return column
    values, at = column
    if isinstance(values, list):
        return values[at[row]] if at[row] >= 0 else None
    return int(values[row]) if at[row] else None


def _alike(solved: Solved, given: dict[str, Column], at: np.ndarray) -> Iterator[tuple[dict, str, np.ndarray]]:
    """(variant, roll, rows): rows of a solved variant with the same roll, '' where there are none."""
    names = [*solved.parameters, *([ROLL] if solved.rolls else [])]
    for values, rows in _groups(given, names, at):
        roll = values.pop(ROLL, "")
        if roll is not None and (certified := solved.certified(values)):
            yield certified, roll, rows


def _groups(
    given: dict[str, Column], names: list[str], at: np.ndarray
) -> Iterator[tuple[dict[str, int | str | None], np.ndarray]]:
    """The rows `at`, those together that have the same in some columns: (what they have there, the rows)."""
    columns = [given[name] for name in names if isinstance(given[name], tuple)]
    if not len(at):
        return
    if not columns:
        groups = [at]
    else:
        # Of texts the number, of numbers the value and whether it is known.
        keys = [key[at] for column in columns for key in column if isinstance(key, np.ndarray)]
        order = np.lexsort(keys)
        changed = np.logical_or.reduce([np.diff(key[order]) != 0 for key in keys])
        groups = np.split(at[order], np.flatnonzero(changed) + 1)
    for rows in groups:
        yield {name: _value(given[name], int(rows[0])) for name in names}, rows
