"""The same as queries: ranked actions, where to place a roll (placements.py), what to keep of one (keeps.py).

In a macro a bare name that is an argument's too would be the argument, so every name here has its relation before it;
for the names with underscores see catalog/macros.py.
"""

from collections.abc import Iterable, Mapping, Sequence

from dicebase.tables.follow.keeps import ROLL
from dicebase.tables.names import Table
from dicebase.vocabulary import TIE

ANSWERS = ("action", "q_value", "regret", "probability", "optimal", "undecided")
"""The columns of ranked actions after those of their position."""


def ranked_query(choices: str, position: Sequence[str], tolerance: str, sense: int = 1, certain: bool = False) -> str:
    """`choices` with ANSWERS: of each position, actions within the tolerance of the best are optimal, the first of them
    is taken, and they are undecided if several are that do not lead to the same.

    choices : a query with the columns of `position` and action, q_value, number (in the game's order) and leads_to.
    tolerance : SQL, the relation being p. sense : 1 where more is better, -1 where less is.
    certain : whether q-values of 0 and 1 are exact, being probabilities.
    """
    found = columns("c", [*position, "action", "q_value", "regret"])
    by, again = (f"(PARTITION BY {columns(r, position)})" if position else "()" for r in "pc")
    worth = "p.q_value" if sense > 0 else "-p.q_value"
    unproved = "c.q_value > 0 AND c.q_value < 1 AND " if certain else ""
    return (
        f"WITH compared AS (SELECT p.*, max({worth}) OVER position - {worth} AS regret, "
        f"max({worth}) OVER position - {worth} <= {tolerance} AS optimal FROM ({choices}) AS p "
        f"WINDOW position AS {by}) SELECT {found}, "
        "CAST(row_number() OVER (position ORDER BY c.optimal DESC, c.number) = 1 AS DOUBLE) AS probability, c.optimal, "
        f"c.optimal AND {unproved}min(c.leads_to) FILTER (c.optimal) OVER position "
        "<> max(c.leads_to) FILTER (c.optimal) OVER position AS undecided "
        f"FROM compared AS c WINDOW position AS {again}"
    )


def columns(relation: str, names: Iterable[str]) -> str:
    """These columns of a relation."""
    return ", ".join(f'{relation}."{name}"' for name in names)


def same(one: str, other: str, names: Iterable[str]) -> str:
    """Whether two relations have the same in these columns."""
    return " AND ".join(f'{one}."{name}" = {other}."{name}"' for name in names)


def renamed(source: str, names: Iterable[str], relation: str) -> str:
    """Columns of a relation under names that nobody outside uses: _<relation>."_<column>"."""
    listed = ", ".join(f'r."{name}" AS "_{name}"' for name in names)
    return f"(SELECT {listed} FROM {source} AS r) AS _{relation}"


def two_actions_query(table: Table, keys: list[str]) -> str:
    """The rows of `<table>_actions` of states of two actions at the most, of which the row says everything."""
    optimal = f"s.margin IS NOT NULL AND s.margin <= {TIE!r}"  # of both: a tie, or not told apart
    sign = "-" if table.match_class.sense > 0 else "+"
    other = f"CASE s.action WHEN 'roll' THEN '{table.rules_class.stop}' ELSE 'roll' END"
    return (
        f"SELECT {columns('s', keys)}, s.action, s.value AS q_value, 0e0 AS regret, 1e0 AS probability, "
        f"true AS optimal, {optimal} AS undecided FROM data.{table.name} AS s UNION ALL "
        f"SELECT {columns('s', keys)}, {other} AS action, s.value {sign} s.margin AS q_value, s.margin AS regret, "
        f"0e0 AS probability, {optimal} AS optimal, {optimal} AS undecided "
        f"FROM data.{table.name} AS s WHERE s.margin IS NOT NULL"
    )


def placements_query(table: Table) -> str:
    """The rows of `<table>_actions` of tables, or variants, whose decisions are too many to be stored."""
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
    """A row for each position and slot, with its q-value: a stored number, found by a join, and what the slot scores.

    v  the stored row of a position        g  a placement of the roll in a slot        w  the stored row it leads to
    """
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


def rolled_actions_query(table: Table, given: Mapping[str, str]) -> str:
    """The ranked actions of a roll; `given` is the SQL of each parameter, of the roll, and of each column of a position
    but for the dice.

    _k  a way to keep        _b  the row before the roll        _a  the row after keeping, if there is one
    """
    match, name = table.match_class, table.name
    variant = [p.name for p in table.parameters]
    record = [*variant, *(c.name for c in match.record_columns)]
    mine = next(c.name for c in match.record_columns if c.unit == "points")
    # In doubles no sum overflows, whatever a question says.
    total, target, banked = (f"CAST({given[column]} AS DOUBLE)" for column in ("turn_total", "target", mine))
    ends = f"{total} + _k._gain >= {target} - {banked}"
    worse = "-" if match.sense > 0 else "+"

    def asked(relation: str, columns: Iterable[str]) -> str:
        return " AND ".join(f'{relation}."_{column}" = {given[column]}' for column in columns)

    keeps = renamed(f"data.{name}_keeps", [*variant, "roll", "rolled", "number", "keep", "gain", "dice"], "k")
    before = renamed(f"data.{name}", [*record, "turn_total", "dice"], "b")
    after = renamed(f"data.{name}", [*record, "turn_total", "dice", "value", "margin", "action"], "a")
    kept = (
        "SELECT _k._number AS number, _k._keep AS keep, _k._gain AS gain, _k._dice AS dice, "
        f"_a._value AS value, _a._margin AS margin, _a._action AS best, {ends} AS ends FROM {keeps} "
        f"SEMI JOIN {before} ON {asked('_b', [*record, 'turn_total'])} AND _b._dice = _k._rolled "
        # Where nothing is left to look up the row before stands in: an outer join would hash the whole table.
        f"JOIN {after} ON {asked('_a', record)} "
        f"AND _a._turn_total = CASE WHEN {ends} THEN {total} ELSE {total} + _k._gain END "
        f"AND _a._dice = CASE WHEN {ends} THEN _k._rolled ELSE _k._dice END "
        f"WHERE {asked('_k', variant)} AND _k._roll = sorted_dice({given[ROLL]})"
    )
    # What ends the match is worth one: a win, or the turn that is counted.
    choices = (
        "SELECT 2 * k.number + CASE WHEN c.banks THEN 0 ELSE 1 END AS number, 'keep ' || k.keep || ', ' || "
        f"CASE WHEN c.banks THEN '{table.rules_class.stop}' ELSE 'roll ' || k.dice END AS action, "
        "CASE WHEN k.ends THEN 1e0 WHEN c.banks = (k.best <> 'roll') THEN k.value "
        f"ELSE k.value {worse} k.margin END AS q_value, "
        # Of the same turn total, banked or rolled with as many dice, two actions are the same in all but name.
        "CASE WHEN k.ends THEN '' WHEN c.banks THEN 'bank ' || k.gain ELSE k.dice || ' at ' || k.gain END AS leads_to "
        f"FROM ({kept}) AS k CROSS JOIN (VALUES (true), (false)) AS c(banks) WHERE c.banks OR NOT k.ends"
    )
    return ranked_query(choices, [], repr(TIE), match.sense)
