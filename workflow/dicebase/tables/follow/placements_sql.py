"""Where to place a roll (placements.py), as queries: for tables, or variants of one, whose decisions are too many.

A value is stored before the roll, by the free slots and, in some tables, by points. To place a roll in a slot leaves
the other free slots, so a q-value is one stored number, found by a join, and what the slot scores.

    v  the stored row of a position        g  a placement of the roll in a slot        w  the stored row it leads to
"""

from dicebase.tables.follow.ranking_sql import columns, ranked_query, same
from dicebase.tables.names import Table


def actions_query(table: Table) -> str:
    """The rows of `<table>_actions` that follow."""
    # Certain and impossible are exact; any other two values that are this close are not told apart.
    certain = table.followed.value.unit == "probability"
    return ranked_query(_placed(table), _position(table), "p.tolerance", certain=certain)


def states_query(table: Table) -> str:
    """The rows of `<table>` that follow: those that ranked_query takes, and their margins, by groups, which needs a
    fraction of the time and memory of its windows."""
    position = _position(table)
    return (
        f"WITH grouped AS (SELECT {columns('p', position)}, max(p.q_value, 2) AS best, "
        "list(struct_pack(slot := p.number, q_value := p.q_value)) AS choices, any_value(p.tolerance) AS tolerance "
        f"FROM ({_placed(table)}) AS p GROUP BY {columns('p', position)}) "
        f"SELECT {columns('s', position)}, s.best[1] AS value, CAST(list_min("
        "[choice.slot FOR choice IN s.choices IF s.best[1] - choice.q_value <= s.tolerance]) AS VARCHAR) AS action, "
        "CASE WHEN len(s.best) > 1 THEN s.best[1] - s.best[2] END AS margin FROM grouped AS s"
    )


def _placed(table: Table) -> str:
    """A row for each position and slot, with its q-value."""
    match, parameters = table.followed, [p.name for p in table.parameters]
    stored = columns("v", [*parameters, *(c.name for c in match.columns)])
    points, after = f'v."{match.points}"', "w.free = v.free - (1 << (g.slot - 1))"
    if match.points:
        after += f' AND w."{match.points}" = {points} {"+" if match.step > 0 else "-"} g.gain'
    q_value = ("g.gain + " if match.gains else "") + "coalesce(w.value, 0e0)"
    if match.enough:
        q_value = f"CASE WHEN {points} <= g.gain THEN 1e0 ELSE {q_value} END"
    return (
        f"SELECT {stored}, g.roll_total, g.tolerance, CAST(g.slot AS VARCHAR) AS action, g.slot AS number, "
        f"g.slot AS leads_to, {q_value} AS q_value FROM data.{table.name}_values AS v "
        f"JOIN data.{table.name}_placements AS g ON {same('g', 'v', parameters)} "
        "AND (v.free >> (g.slot - 1)) & 1 = 1 "
        f"LEFT JOIN data.{table.name}_values AS w ON {same('w', 'v', parameters)} AND {after}"
    )


def _position(table: Table) -> list[str]:
    return [*(p.name for p in table.parameters), *(c.name for c in table.followed.state_columns)]
