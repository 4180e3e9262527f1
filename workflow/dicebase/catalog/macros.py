"""The table macros `<table>_at`: one position, in SQL.

A state is given by place, parameters by name: `pig_duel_at(30, 50, 20, target := 50)`. Those that are left out are the
paper's.

An argument may be a column of the caller's, `me`, and takes its place in the body as it stands: where the table has a
column of that name it would be compared with itself, and every row returned in silence. So where arguments are
compared, relations and columns have names that no caller uses (`renamed` of templates/catalog.sql).
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from dicebase.catalog.queries import ANSWERS, queries
from dicebase.tables.follow.keeps import DICE, ROLL, takes_rolls
from dicebase.tables.names import Table


def actions_macro(table: Table, keys: Mapping[str, pa.DataType], source: str) -> str:
    """`<table>_at(state..., parameter := default...)`: the actions of one position, best first. Where dice are kept,
    `roll :=` may be given in the place of `dice`."""
    ranked = _row(table, keys, source, ANSWERS)
    arguments = _state(table, keys)
    if takes_rolls(table, keys):
        arguments = [a for a in arguments if a != f'"{DICE}"'] + [f"{DICE} := NULL", f"{ROLL} := NULL"]
        given = {name: f'"{name}"' for name in (*keys, ROLL)}
        ranked += f" UNION ALL FROM ({queries().rolled_actions(table, given)})"
        wrong = f"error('{table.name}_at: give either {DICE} or {ROLL}')"
        ranked += f" UNION ALL SELECT {wrong}, 0, 0, 0, false, false WHERE ({DICE} IS NULL) = ({ROLL} IS NULL)"
    return _macro(table, arguments, f"{ranked} ORDER BY optimal DESC, probability DESC, regret, action")


def row_macro(table: Table, keys: Mapping[str, pa.DataType], answers: Sequence[str]) -> str:
    """The same for a table that lists no decisions: the values of one row."""
    return _macro(table, _state(table, keys), _row(table, keys, f"data.{table.name}", answers))


def _macro(table: Table, arguments: Sequence[str], body: str) -> str:
    defaults = [f'"{p.name}" := {quoted(p.default) if p.kind is str else p.default}' for p in table.parameters]
    return f"CREATE MACRO {table.name}_at({', '.join([*arguments, *defaults])}) AS TABLE {body}"


def _state(table: Table, keys: Mapping[str, pa.DataType]) -> list[str]:
    parameters = [p.name for p in table.parameters]
    return [f'"{name}"' for name in keys if name not in parameters]


def _row(table: Table, keys: Mapping[str, pa.DataType], source: str, answers: Sequence[str]) -> str:
    """The answers in the row of the arguments. Text in a state is dice, in any order."""
    parameters = [p.name for p in table.parameters]
    dice = {name for name, kind in keys.items() if kind == pa.string() and name not in parameters}
    rows = queries().renamed(source, [*keys, *answers], "row")
    here = " AND ".join(f'_row."_{n}" = ' + (f'sorted_dice("{n}")' if n in dice else f'"{n}"') for n in keys)
    found = ", ".join(f'_row."_{n}" AS "{n}"' for n in answers)
    return f"SELECT {found} FROM {rows} WHERE {here}"


def quoted(text: str) -> str:
    """Text as SQL."""
    return "'" + str(text).replace("'", "''") + "'"
