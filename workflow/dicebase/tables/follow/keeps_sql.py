"""What to keep of a roll (keeps.py), as a query.

    _k  a way to keep        _b  the row before the roll        _a  the row after keeping, if there is one

For the names with underscores see catalog/macros.py.
"""

from collections.abc import Iterable, Mapping

from dicebase.tables.follow.keeps import ROLL
from dicebase.tables.follow.ranking_sql import ranked_query, renamed
from dicebase.tables.names import Table
from dicebase.vocabulary.ranking import TIE


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
    worse = "-" if match.sense > 0 else "+"

    def same(relation: str, columns: Iterable[str]) -> str:
        return " AND ".join(f'{relation}."_{column}" = {given[column]}' for column in columns)

    keeps = renamed(f"data.{name}_keeps", [*variant, "roll", "rolled", "number", "keep", "gain", "dice"], "k")
    before = renamed(f"data.{name}", [*record, "turn_total", "dice"], "b")
    after = renamed(f"data.{name}", [*record, "turn_total", "dice", "value", "margin", "action"], "a")
    kept = (
        "SELECT _k._number AS number, _k._keep AS keep, _k._gain AS gain, _k._dice AS dice, "
        f"_a._value AS value, _a._margin AS margin, _a._action AS best, {ends} AS ends FROM {keeps} "
        f"SEMI JOIN {before} ON {same('_b', [*record, 'turn_total'])} AND _b._dice = _k._rolled "
        # Where nothing is left to look up the row before stands in: an outer join would hash the whole table.
        f"JOIN {after} ON {same('_a', record)} "
        f"AND _a._turn_total = CASE WHEN {ends} THEN {total} ELSE {total} + _k._gain END "
        f"AND _a._dice = CASE WHEN {ends} THEN _k._rolled ELSE _k._dice END "
        f"WHERE {same('_k', variant)} AND _k._roll = sorted_dice({given[ROLL]})"
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
