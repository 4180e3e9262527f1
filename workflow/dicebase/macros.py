"""The table macros `<table>_at`: one position, in SQL.

A state is given by place, parameters by name: `pig_duel_at(30, 50, 20, target := 50)`. Those that are left out are the
paper's. In the body of a macro an unqualified `me = me` would compare the argument with itself, and return every row in
silence: every column has its relation before it.
"""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from dicebase.find import Table
from dicebase.rolls import DICE, ROLL, rolled_actions_query, takes_rolls

SORTED_DICE = (
    "CREATE MACRO sorted_dice(roll) AS CASE WHEN regexp_full_match(CAST(roll AS VARCHAR), '[0-9]+') "
    "THEN array_to_string(list_sort(string_split(CAST(roll AS VARCHAR), '')), '') ELSE CAST(roll AS VARCHAR) END"
)
"""A roll as the tables write it: digits in order; other text as it is."""


def actions_macro(table: Table, keys: Mapping[str, pa.DataType], source: str) -> str:
    """`<table>_at(state..., parameter := default...)`: the actions of one position, best first. Where dice are kept,
    `roll :=` may be given in the place of `dice`."""
    columns = "action, q_value, regret, probability, optimal, undecided"
    ranked = f"SELECT {columns} FROM {source} AS t WHERE {_here(table, keys)}"
    arguments = _state(table, keys)
    if takes_rolls(table, keys):
        arguments = [a for a in arguments if a != f'"{DICE}"'] + [f"{DICE} := NULL", f"{ROLL} := NULL"]
        given = {name: f'"{name}"' for name in (*keys, ROLL)}
        ranked += f" UNION ALL SELECT {columns} FROM ({rolled_actions_query(table, given)}) AS t"
        wrong = f"error('{table.name}_at: give either {DICE} or {ROLL}')"
        ranked += f" UNION ALL SELECT {wrong}, 0, 0, 0, false, false WHERE ({DICE} IS NULL) = ({ROLL} IS NULL)"
    return _macro(table, arguments, f"{ranked} ORDER BY optimal DESC, probability DESC, regret, action")


def row_macro(table: Table, keys: Mapping[str, pa.DataType], answers: Sequence[str]) -> str:
    """The same for a table that lists no decisions: the values of one row."""
    columns = ", ".join(f't."{name}"' for name in answers)
    return _macro(
        table, _state(table, keys), f"SELECT {columns} FROM data.{table.name} AS t WHERE {_here(table, keys)}"
    )


def _macro(table: Table, arguments: Sequence[str], body: str) -> str:
    defaults = [f'"{p.name}" := {quoted(p.default) if p.kind is str else p.default}' for p in table.parameters]
    return f"CREATE MACRO {table.name}_at({', '.join([*arguments, *defaults])}) AS TABLE {body}"


def _state(table: Table, keys: Mapping[str, pa.DataType]) -> list[str]:
    parameters = [p.name for p in table.parameters]
    return [f'"{name}"' for name in keys if name not in parameters]


def _here(table: Table, keys: Mapping[str, pa.DataType]) -> str:
    """The row of the arguments. Text in a state is dice, in any order."""
    parameters = [p.name for p in table.parameters]
    dice = {name for name, kind in keys.items() if kind == pa.string() and name not in parameters}
    return " AND ".join(f't."{n}" = ' + (f'sorted_dice("{n}")' if n in dice else f'"{n}"') for n in keys)


def quoted(text: str) -> str:
    """Text as SQL."""
    return "'" + str(text).replace("'", "''") + "'"
