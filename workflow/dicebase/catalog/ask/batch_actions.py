"""All actions of many positions: a row for each action, instead of one for each position."""

from typing import Any

import numpy as np
import pyarrow as pa

from dicebase.catalog.ask.answer import Action
from dicebase.catalog.ask.batch import Place, answer_table, asking
from dicebase.catalog.ask.one_position import look_up
from dicebase.catalog.ask.solved_tables import SolvedTable, SolvedTables
from dicebase.vocabulary import ConfigurationError

FIELDS = {"action": pa.string(), "q_value": pa.float64(), "regret": pa.float64(), "probability": pa.float64()}
FIELDS |= {"optimal": pa.bool_(), "undecided": pa.bool_()}
"""The fields of an Action, called as the columns of `<table>_actions`."""


def all_actions(
    tables: SolvedTables, table: SolvedTable, frame: pa.Table, first: int = 0, place: Place | None = None
) -> tuple[pa.Table, np.ndarray]:
    """(the rows of a frame, each as often as its position has actions, best first; whether each row has an answer).

    `row` is the number of the row, `first` that of the first one; where there is no answer it is there once, its
    actions NULL, and `status` says why.
    """
    taken = [name for name in frame.column_names if name == "row" or name in FIELDS]
    if taken:
        raise ConfigurationError(f"{table.name}: column '{taken[0]}' is what an answer is called; give it another name")
    if not table.match.layout.decides:
        raise ConfigurationError(f"{table.name}: lists no decisions, so that there are no actions")
    answered, found = answer_table(tables, table, frame, place)
    asked = asking(table, frame.column_names)
    known: dict[tuple, tuple[Action, ...]] = {}
    each: list[tuple[Action | None, ...]] = []
    for position, is_found in zip(_rows(frame.select(asked)), found.tolist(), strict=True):
        if is_found and position not in known:
            known[position] = look_up(tables, table.name, dict(zip(asked, position, strict=True))).actions
        each.append(known[position] if is_found else (None,))
    repeated = np.repeat(np.arange(len(each)), [*map(len, each)])
    actions = [action or (None,) * len(FIELDS) for of_row in each for action in of_row]
    out = frame.append_column("row", pa.array(np.arange(len(each)) + first)).append_column("status", answered["status"])
    out = out.take(repeated)
    for i, (name, kind) in enumerate(FIELDS.items()):
        out = out.append_column(name, pa.array([action[i] for action in actions], kind))
    return out, found


def _rows(frame: pa.Table) -> list[tuple[Any, ...]]:
    """As a lookup takes them: a whole number is one, whatever its type."""
    columns = (column.to_pylist() for column in frame.columns)
    whole = ([int(x) if isinstance(x, float) and x.is_integer() else x for x in column] for column in columns)
    return list(zip(*whole, strict=True)) if frame.num_columns else [()] * frame.num_rows
