"""Rolls where dice are kept: the tables have what lies on the table after keeping, a player asks what to keep.

A way to keep adds points to the turn and leaves dice in the hand, all dice if all were kept. What it is worth to roll
them, or to bank, is in the row of that turn total and so many dice; points that reach the target end the match at once.

    _k  a way to keep        _b  the row before the roll        _a  the row after keeping, if there is one

For the names with underscores see macros.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dicebase.tables.names import Table
from dicebase.vocabulary.errors import ConfigurationError
from dicebase.vocabulary.listing import Layout
from dicebase.vocabulary.ranking import TIE

if TYPE_CHECKING:
    import duckdb

DICE, ROLL = "dice", "roll"
"""The column of the dice in the hand, and what may be given in its place."""


def takes_rolls(table: Table, columns: Iterable[str]) -> bool:
    """Whether the positions of a table with these columns are what lies on the table after keeping dice."""
    return table.match_class.layout is Layout.TWO_ACTIONS and table.rules_class.keeps and DICE in columns


def store_keeps(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """data.<table>_keeps: by variant and roll, what can be kept, in the game's order; from data.certificates."""
    certified = connection.execute(
        'SELECT parameters, definitions FROM data.certificates WHERE "table" = ? ORDER BY parameters', [table.name]
    ).fetchall()
    rows = []
    for parameters, definitions in certified:
        variant = json.loads(parameters)
        rules = table.build_rules(variant, json.loads(definitions))
        for mode in rules.modes:
            for roll in rules.rolls(0, mode):
                for number, option in enumerate(roll.options):
                    if option.mode is None:
                        raise ConfigurationError(f"{table.name}: no row says what a forced end of the turn is worth")
                    rows.append((*variant.values(), roll.dice, mode, number, option.keep, option.gain, option.mode))
    columns = [f'"{p.name}" {"INTEGER" if p.kind is int else "VARCHAR"}' for p in table.parameters]
    columns += ["roll VARCHAR", "rolled INTEGER", "number INTEGER", "keep VARCHAR", "gain INTEGER", "dice INTEGER"]
    connection.execute(f"CREATE TABLE data.{table.name}_keeps ({', '.join(columns)})")
    values = ", ".join(f"unnest(${i})" for i in range(1, len(columns) + 1))
    connection.execute(f"INSERT INTO data.{table.name}_keeps SELECT {values}", list(map(list, zip(*rows, strict=True))))


def rolled_actions_query(table: Table, given: Mapping[str, str]) -> str:
    """The ranked actions of a roll; `given` is the SQL of each parameter, of the roll, and of each column of a position
    but for the dice."""
    match, name = table.match_class, table.name
    variant = [p.name for p in table.parameters]
    record = [*variant, *(c.name for c in match.record_columns)]
    mine = next(c.name for c in match.record_columns if c.unit == "points")
    # In doubles no sum overflows, whatever a question says.
    total, target, banked = (f"CAST({given[column]} AS DOUBLE)" for column in ("turn_total", "target", mine))
    ends = f"{total} + _k._gain >= {target} - {banked}"
    worse, sense = ("-", "") if match.sense > 0 else ("+", "-")

    def same(relation: str, columns: Iterable[str]) -> str:
        return " AND ".join(f'{relation}."_{column}" = {given[column]}' for column in columns)

    keeps = renamed(f"data.{name}_keeps", [*variant, "roll", "rolled", "number", "keep", "gain", "dice"], "k")
    before = renamed(f"data.{name}", [*record, "turn_total", "dice"], "b")
    after = renamed(f"data.{name}", [*record, "turn_total", "dice", "value", "margin", "action"], "a")
    return (
        "WITH kept AS (SELECT _k._number AS number, _k._keep AS keep, _k._gain AS gain, _k._dice AS dice, "
        f"_a._value AS value, _a._margin AS margin, _a._action AS best, {ends} AS ends FROM {keeps} "
        f"SEMI JOIN {before} ON {same('_b', [*record, 'turn_total'])} AND _b._dice = _k._rolled "
        # Where nothing is left to look up the row before stands in: an outer join would hash the whole table.
        f"JOIN {after} ON {same('_a', record)} "
        f"AND _a._turn_total = CASE WHEN {ends} THEN {total} ELSE {total} + _k._gain END "
        f"AND _a._dice = CASE WHEN {ends} THEN _k._rolled ELSE _k._dice END "
        f"WHERE {same('_k', variant)} AND _k._roll = sorted_dice({given[ROLL]})), "
        # What ends the match is worth one: a win, or the turn that is counted.
        "options AS (SELECT p.number, c.banks, 'keep ' || p.keep || ', ' || "
        f"CASE WHEN c.banks THEN '{table.rules_class.stop}' ELSE 'roll ' || p.dice END AS action, "
        "CASE WHEN p.ends THEN 1e0 WHEN c.banks = (p.best <> 'roll') THEN p.value "
        f"ELSE p.value {worse} p.margin END AS q_value, "
        # Of the same turn total, banked or rolled with as many dice, two actions are the same in all but name.
        "CASE WHEN p.ends THEN '' WHEN c.banks THEN 'bank ' || p.gain ELSE p.dice || ' at ' || p.gain END AS leads_to "
        "FROM kept AS p CROSS JOIN (VALUES (true), (false)) AS c(banks) WHERE c.banks OR NOT p.ends), "
        f"compared AS (SELECT o.*, max({sense}o.q_value) OVER () - {sense}o.q_value AS regret, "
        f"max({sense}o.q_value) OVER () - {sense}o.q_value <= {TIE!r} AS optimal FROM options AS o) "
        "SELECT r.action, r.q_value, r.regret, "
        "CAST(row_number() OVER (ORDER BY r.optimal DESC, r.number, r.banks DESC) = 1 AS DOUBLE) AS probability, "
        "r.optimal, r.optimal AND min(r.leads_to) FILTER (r.optimal) OVER () "
        "<> max(r.leads_to) FILTER (r.optimal) OVER () AS undecided FROM compared AS r"
    )


def renamed(source: str, columns: Iterable[str], name: str) -> str:
    """Columns of a relation under names that nobody outside uses: _<name>."_<column>"."""
    listed = ", ".join(f'r."{column}" AS "_{column}"' for column in columns)
    return f"(SELECT {listed} FROM {source} AS r) AS _{name}"


def why_no_roll(game: Any, state: tuple, possible: list[int]) -> str:
    """Why nobody decides anything at (record, turn total, roll), where so many dice may be rolled."""
    *_, total, roll = state
    if not possible:
        return game.why_missing((*state[:-1], len(roll)))
    rules = game.rules
    there_is = len(roll) in rules.modes and any(r.dice == roll for r in rules.rolls(0, len(roll)))
    if there_is and len(roll) not in possible:
        *most, last = map(str, possible)
        numbers = f"{', '.join(most)} or {last}" if most else last
        return f"at a turn total of {total} one rolls {numbers} dice, not {len(roll)}"
    return rules.why_missing(total, roll)
