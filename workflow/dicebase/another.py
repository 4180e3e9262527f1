"""Answers that another table gives: for variants too large for the table that was asked."""

import json
from collections.abc import Mapping
from typing import Any

from dicebase.errors import MissingStateError, MissingTableError
from dicebase.find import Table, find_table


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


def answer_by_another(
    catalog: Any, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any]
) -> dict[str, Any]:
    """Rank the actions from the table that Match.answered_by names, where this one is too large to be solved."""
    other = find_table(f"{table.game}_{table.match_class.answered_by}")
    shared = {p.name: variant[p.name] for p in other.parameters if p.name != "slots"}
    rows = [
        row
        for row in catalog._dicts("SELECT * FROM tables WHERE name = ? ORDER BY states DESC", [other.name])
        if shared.items() <= json.loads(row["parameters"]).items()
    ]
    if not rows:
        raise MissingTableError(catalog._not_solved(table, variant))
    game = table.build(variant, json.loads(rows[0]["definitions"]))
    position = tuple(state.values())
    if not game.actions(position) or position[1] not in game.rules.weights or position[0] >> game.rules.slots:
        place = " ".join(f"{name}={value}" for name, value in state.items())
        raise MissingStateError(f"{table.name}: no decision at {place}: {game.why_missing(position)}")
    solved = json.loads(rows[0]["parameters"])
    where = " AND ".join(f'"{name}" = ?' for name in solved)
    expected = [
        row[0]
        for row in catalog._rows(
            f"SELECT value FROM {other.name} WHERE {where} AND free_slots = ? ORDER BY rank",
            [*solved.values(), len(game.actions(position)) - 1],
        )
    ]
    if len(expected) != len(game.actions(position)) - 1:
        raise MissingTableError(catalog._not_solved(table, variant))
    q = game.q_values(position, expected)
    best = max(q.values())
    actions = [
        {"action": a, "value": v, "regret": best - v, "probability": 0.0, "optimal": v == best}
        for a, v in sorted(q.items(), key=lambda item: -item[1])
    ]
    actions[0]["probability"] = 1.0
    return answer(table, variant, state, best, game.unit, actions)
