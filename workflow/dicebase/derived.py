"""Decisions that follow from stored values, as views: for tables whose decisions are too many to store.

A scorecard's `exceed` table stores the value before the roll by (free, needed). To place a roll in slot i leaves the
other free slots and needed - gain points, so a q-value is one stored number, found by a join.
"""

import json
from types import SimpleNamespace

import duckdb
import pyarrow as pa

from dicebase.find import Table
from dicebase.tables import actions_schema


def derived_fields(table: Table) -> list[pa.Field]:
    """The columns of `<table>_actions`, as those of a stored one."""
    match = table.match_class
    positions = SimpleNamespace(columns=match.state_columns, unit=match.unit, value_is="value of the position")
    return list(actions_schema(table, positions))


def create_views(connection: duckdb.DuckDBPyConnection, table: Table) -> str:
    """Create `<table>_actions` and `<table>` over data.<table>, for the variants of data.certificates; returns the
    query of the former."""
    name, parameters = table.name, [p.name for p in table.parameters]
    certified = connection.execute(
        'SELECT parameters, definitions, error_bound FROM data.certificates WHERE "table" = ?', [name]
    ).fetchall()
    bound = max(row[2] for row in certified)
    games = [(json.loads(p), table.build(json.loads(p), json.loads(d))) for p, d, _ in certified]
    rows = [(*variant.values(), *placement) for variant, game in games for placement in game.placements()]
    names = [*parameters, "slot", "roll_total", "gain"]
    placements = pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    connection.register("placements", placements)
    connection.execute(f"CREATE TABLE data.{name}_placements AS SELECT * FROM placements")
    connection.unregister("placements")

    def qualified(relation: str) -> str:
        # In a macro a bare name that is an argument's too would be the argument.
        return ", ".join(f'{relation}."{p}"' for p in parameters)

    def same(relation: str) -> str:
        return " AND ".join(f'{relation}."{p}" = v."{p}"' for p in parameters)

    query = (
        f"WITH placed AS (SELECT {qualified('v')}, v.free, v.needed, g.roll_total, g.slot, "
        "CASE WHEN v.needed <= g.gain THEN 1.0 ELSE coalesce(w.value, 0.0) END AS q_value "
        f"FROM data.{name} AS v "
        f"JOIN data.{name}_placements AS g ON {same('g')} AND (v.free >> (g.slot - 1)) & 1 = 1 "
        f"LEFT JOIN data.{name} AS w ON {same('w')} AND w.free = v.free - (1 << (g.slot - 1)) "
        "AND w.needed = v.needed - g.gain), "
        "compared AS (SELECT p.*, max(p.q_value) OVER position - p.q_value AS regret, "
        "row_number() OVER (position ORDER BY p.q_value DESC, p.slot) AS place, "
        f"max(p.q_value) OVER position - p.q_value <= {2 * bound!r} AS optimal FROM placed AS p "
        f"WINDOW position AS (PARTITION BY {qualified('p')}, p.free, p.needed, p.roll_total)) "
        f"SELECT {qualified('c')}, c.free, c.needed, c.roll_total, CAST(c.slot AS VARCHAR) AS action, "
        "c.q_value, c.regret, CAST(c.place = 1 AS DOUBLE) AS probability, c.optimal, "
        # Certain and impossible are exact; any other two that are this close are not told apart.
        "c.optimal AND c.q_value > 0 AND c.q_value < 1 AND count(*) FILTER (c.optimal) OVER position > 1 AS undecided "
        f"FROM compared AS c WINDOW position AS (PARTITION BY {qualified('c')}, c.free, c.needed, c.roll_total)"
    )
    connection.execute(f"CREATE VIEW {name}_actions AS {query}")
    connection.execute(
        f"CREATE VIEW {name} AS SELECT {qualified('a')}, a.free, a.needed, a.roll_total, max(a.q_value) AS value, "
        "arg_max(a.action, a.probability) AS action, "
        "CASE WHEN count(*) > 1 THEN list_sort(list(a.regret))[2] END AS margin "
        f"FROM {name}_actions AS a GROUP BY {qualified('a')}, a.free, a.needed, a.roll_total"
    )
    return query
