"""Decisions that follow from stored values, as queries: for tables, or variants of one, whose decisions are too many.

A value is stored before the roll, by the free slots and, in some tables, by points (placing.py). To place a roll in a
slot leaves the other free slots, so a q-value is one stored number, found by a join, and what the slot scores.

    v  the stored row of a position        g  a placement of the roll in a slot        w  the stored row it leads to

In a macro a bare name that is an argument's too would be the argument, so every name here has its relation before it.
"""

import json
from collections.abc import Iterable
from types import SimpleNamespace

import duckdb
import pyarrow as pa

from dicebase.tables.names import Table
from dicebase.tables.schemas import actions_schema, field
from dicebase.vocabulary.listing import Layout
from dicebase.vocabulary.ranking import TIE

ANSWERS = 6  # the columns of `<table>_actions` after those of the position


def derived_fields(table: Table) -> tuple[list[pa.Field], list[pa.Field]]:
    """The columns of `<table>` and of `<table>_actions`, as those of stored ones."""
    match = table.followed
    positions = SimpleNamespace(
        columns=match.state_columns, value=match.value._replace(description="value of the position")
    )
    actions = list(actions_schema(table, positions))
    least = "regret of the second-best action, whether or not it is proved; NULL: one legal action"
    states = [
        *actions[:-ANSWERS],
        field("value", pa.float64(), "value of the position, which is that of its best action", match.value.unit),
        field("action", pa.string(), "the optimal action; of several, the first"),
        field("margin", pa.float64(), least, match.value.unit, nullable=True),
    ]
    return states, actions


def store_placements(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """data.<table>_placements: what each slot scores for each roll, by variant, with twice the error bound of its
    values; from data.certificates."""
    certified = connection.execute(
        'SELECT parameters, definitions, error_bound FROM data.certificates WHERE "table" = ?', [table.name]
    ).fetchall()
    rows = []
    for parameters, definitions, bound in certified:
        variant = json.loads(parameters)
        stored = table.build(variant, json.loads(definitions)).stored
        if stored.layout is Layout.FOLLOWED:
            rows += [(*variant.values(), *placement, 2 * bound) for placement in stored.placements]
    names = [*(p.name for p in table.parameters), "slot", "roll_total", "gain", "tolerance"]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    placements = pa.table(columns | {"roll_total": pa.array(columns["roll_total"], pa.int32())})
    connection.register("placements", placements)
    connection.execute(f"CREATE TABLE data.{table.name}_placements AS SELECT * FROM placements")
    connection.unregister("placements")


def actions_query(table: Table) -> str:
    """The rows of `<table>_actions` that follow. Of actions that cannot be told apart the first is taken."""
    position = _position(table)
    # Certain and impossible are exact; any other two values that are this close are not told apart.
    unproved = "c.q_value > 0 AND c.q_value < 1 AND " if table.followed.value.unit == "probability" else ""
    return (
        "WITH compared AS (SELECT p.*, max(p.q_value) OVER position - p.q_value AS regret, "
        f"max(p.q_value) OVER position - p.q_value <= p.tolerance AS optimal FROM ({_placed(table)}) AS p "
        f"WINDOW position AS (PARTITION BY {_columns('p', position)})) "
        f"SELECT {_columns('c', position)}, CAST(c.slot AS VARCHAR) AS action, c.q_value, c.regret, "
        "CAST(row_number() OVER (position ORDER BY c.optimal DESC, c.slot) = 1 AS DOUBLE) AS probability, c.optimal, "
        f"c.optimal AND {unproved}count(*) FILTER (c.optimal) OVER position > 1 AS undecided "
        f"FROM compared AS c WINDOW position AS (PARTITION BY {_columns('c', position)})"
    )


def states_query(table: Table) -> str:
    """The rows of `<table>` that follow."""
    position = _position(table)
    return (
        f"WITH grouped AS (SELECT {_columns('p', position)}, max(p.q_value, 2) AS best, "
        "list(struct_pack(slot := p.slot, q_value := p.q_value)) AS choices, any_value(p.tolerance) AS tolerance "
        f"FROM ({_placed(table)}) AS p GROUP BY {_columns('p', position)}) "
        f"SELECT {_columns('s', position)}, s.best[1] AS value, CAST(list_min("
        "[choice.slot FOR choice IN s.choices IF choice.q_value >= s.best[1] - s.tolerance]) AS VARCHAR) AS action, "
        "CASE WHEN len(s.best) > 1 THEN s.best[1] - s.best[2] END AS margin FROM grouped AS s"
    )


def _placed(table: Table) -> str:
    """A row for each position and slot, with its q-value."""
    match, parameters = table.followed, [p.name for p in table.parameters]
    stored = [*parameters, *(c.name for c in match.columns)]
    points, after = f'v."{match.points}"', "w.free = v.free - (1 << (g.slot - 1))"
    if match.points:
        after += f' AND w."{match.points}" = {points} {"+" if match.step > 0 else "-"} g.gain'
    q_value = ("g.gain + " if match.gains else "") + "coalesce(w.value, 0e0)"
    if match.enough:
        q_value = f"CASE WHEN {points} <= g.gain THEN 1e0 ELSE {q_value} END"
    return (
        f"SELECT {_columns('v', stored)}, g.roll_total, g.slot, g.tolerance, {q_value} AS q_value "
        f"FROM data.{table.name}_values AS v "
        f"JOIN data.{table.name}_placements AS g ON {_same('g', 'v', parameters)} "
        "AND (v.free >> (g.slot - 1)) & 1 = 1 "
        f"LEFT JOIN data.{table.name}_values AS w ON {_same('w', 'v', parameters)} AND {after}"
    )


def _position(table: Table) -> list[str]:
    return [*(p.name for p in table.parameters), *(c.name for c in table.followed.state_columns)]


def _columns(relation: str, names: Iterable[str]) -> str:
    return ", ".join(f'{relation}."{name}"' for name in names)


def _same(one: str, other: str, names: Iterable[str]) -> str:
    return " AND ".join(f'{one}."{name}" = {other}."{name}"' for name in names)


def two_actions_query(table: Table, keys: list[str]) -> str:
    """The rows of `<table>_actions` that follow from stored states, where no state has more than two actions: the
    optimal one and, where there is a margin, the other, worse by as much."""
    columns = ", ".join(f's."{name}"' for name in keys)
    optimal = f"s.margin IS NOT NULL AND s.margin <= {TIE!r}"  # of both: a tie, or not told apart
    sign = "-" if table.match_class.sense > 0 else "+"
    other = f"CASE s.action WHEN 'roll' THEN '{table.rules_class.stop}' ELSE 'roll' END"
    return (
        f"SELECT {columns}, s.action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, true AS optimal, "
        f"{optimal} AS undecided FROM data.{table.name} AS s UNION ALL "
        f"SELECT {columns}, {other} AS action, s.value {sign} s.margin AS q_value, s.margin AS regret, "
        f"0e0 AS probability, {optimal} AS optimal, {optimal} AS undecided "
        f"FROM data.{table.name} AS s WHERE s.margin IS NOT NULL"
    )
