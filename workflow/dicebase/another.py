"""The documented shape of an answer; answers that another table gives for variants too large for the one asked."""

import json
from collections.abc import Mapping
from typing import Any

from dicebase.errors import MissingStateError, MissingTableError
from dicebase.find import Table, find_table

ANSWER = ("action", "q_value", "regret", "probability", "optimal", "undecided")


def answer(table: Table, variant: Mapping, state: Mapping, value: float, unit: str, actions: list) -> dict[str, Any]:
    """The documented shape of a lookup."""
    return {
        "table": table.name,
        "parameters": dict(variant),
        "state": dict(state),
        "value": value,
        "unit": unit,
        "actions": actions,
    }


def ranked(
    action: str, value: float, regret: float, probability: float, optimal: bool, undecided: bool
) -> dict[str, Any]:
    """One action of an answer; only a tie that is not proved says so."""
    known = {"action": action, "value": value, "regret": regret, "probability": probability, "optimal": optimal}
    return known | ({"undecided": True} if undecided else {})


def answer_by_another(
    catalog: Any, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any]
) -> dict[str, Any]:
    """Rank the actions from the table that Match.answered_by names, where this one is too large to be solved."""
    match, size = table.match_class.answered_by
    other = find_table(f"{table.game}_{match}")
    shared = {p.name: variant[p.name] for p in other.parameters if p.name != size}
    rows = [
        row
        for row in catalog._dicts("SELECT * FROM tables WHERE name = ? ORDER BY states DESC", [other.name])
        if shared.items() <= json.loads(row["parameters"]).items()
    ]
    if not rows:
        raise MissingTableError(catalog._not_solved(table, variant))
    game = table.build(variant, json.loads(rows[0]["definitions"]))
    position = tuple(state.values())
    if (needed := game.expected_rows(position)) is None:
        place = " ".join(f"{name}={value}" for name, value in state.items())
        raise MissingStateError(f"{table.name}: no decision at {place}: {game.why_missing(position)}")
    where = json.loads(rows[0]["parameters"]) | needed
    conditions = " AND ".join(f'"{name}" = ?' for name in where)
    order = ", ".join(f'"{c.name}"' for c in other.match_class.columns)
    expected = [
        row[0]
        for row in catalog._rows(
            f'SELECT "{other.match_class.value_name}" FROM {other.name} WHERE {conditions} ORDER BY {order}',
            [*where.values()],
        )
    ]
    if len(expected) != len(game.actions(position)) - 1:
        raise MissingTableError(catalog._not_solved(table, variant))
    return answer(table, variant, state, *_ranked(game, position, expected, rows[0]["error_bound"]))


def _ranked(game: Any, position: tuple, expected: list[float], error_bound: float) -> tuple[float, str, list[dict]]:
    """(value, unit, actions): two q-values within twice their error are both optimal, and undecided."""
    q = game.q_values(position, expected)
    best, tolerance = max(q.values()), 2 * game.q_error(error_bound)
    optimal = [action for action, value in q.items() if best - value <= tolerance]
    # Of several the first in the game's order is played.
    actions = [
        ranked(a, v, best - v, float(a == optimal[0]), a in optimal, a in optimal and len(optimal) > 1)
        for a, v in q.items()
    ]
    actions.sort(key=lambda a: (not a["optimal"], -a["probability"], a["regret"]))
    return best, game.unit, actions
