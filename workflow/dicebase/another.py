"""The documented shape of an answer; answers that other variants, or another table, give for what is not solved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dicebase.errors import MissingStateError, MissingTableError
from dicebase.find import Table, find_table

if TYPE_CHECKING:
    from dicebase.lookup import Catalog

ANSWER = ("action", "q_value", "regret", "probability", "optimal", "undecided")


def answer(table: Table, variant: Mapping, state: Mapping, unit: str, value: float, actions: list) -> dict[str, Any]:
    """The documented shape of a lookup; where actions are bare numbers, with what they count."""
    counted = table.match_class.action_unit
    return {
        "table": table.name,
        "parameters": dict(variant),
        "state": dict(state),
        "value": value,
        "unit": unit,
        **({"action_unit": counted} if counted else {}),
        "actions": actions,
    }


def ranked(
    action: str, value: float, regret: float, probability: float, optimal: bool, undecided: bool
) -> dict[str, Any]:
    """One action of an answer; only a tie that is not proved says so."""
    known = {"action": action, "value": value, "regret": regret, "probability": probability, "optimal": optimal}
    return known | ({"undecided": True} if undecided else {})


def answer_by_another(
    catalog: Catalog, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any]
) -> dict[str, Any]:
    """Rank the actions of a variant that is not solved from one that `answered_by` names; raises MissingTableError
    where none is solved that answers for it, MissingStateError where there is no such position."""
    match, sizes = table.match_class.answered_by or (table.match, ())
    other = find_table(f"{table.game}_{match}")
    shared = {p.name: variant[p.name] for p in other.parameters if p.name not in sizes}
    rows = [row for row in catalog._variants.get(other.name, ()) if shared.items() <= row["parameters"].items()]
    if not rows or not sizes:
        raise MissingTableError(catalog._not_solved(table, variant))
    if other.name == table.name:
        rows.sort(key=lambda row: [row["parameters"][size] for size in sizes])
        return _answer_by_larger(catalog, table, variant, state, rows)
    return _answer_by_ranks(catalog, table, variant, state, other, max(rows, key=lambda row: row["states"]))


def _answer_by_larger(
    catalog: Catalog, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any], rows: list[dict]
) -> dict[str, Any]:
    """From the smallest variant of the same table that has the same position somewhere (Listing.state_in)."""
    for row in rows:
        game, larger = (table.build(v, json.loads(row["definitions"])) for v in (variant, row["parameters"]))
        if not game.answered_in(larger):
            continue
        position = game.state_in(larger, tuple(state.values()))
        there = position and dict(zip(state, position, strict=True))
        if ranking := there and catalog._ranking(table, row["parameters"], there):
            return answer(table, variant, state, row["unit"], *ranking)
        raise MissingStateError(catalog._why_missing(table, game, state, there and row["parameters"] | there))
    why = f"; {game.answered_by_none}" if game.answered_by_none else ""
    raise MissingTableError(catalog._not_solved(table, variant) + why)


def _answer_by_ranks(
    catalog: Catalog, table: Table, variant: Mapping[str, Any], state: Mapping[str, Any], other: Table, row: dict
) -> dict[str, Any]:
    """From the expected rolls on slots of any scores, by rank, for cards too large to be solved."""
    game = table.build(variant, json.loads(row["definitions"]))
    position = tuple(state.values())
    if (needed := game.expected_rows(position)) is None:
        raise MissingStateError(catalog._why_missing(table, game, state))
    where = row["parameters"] | needed
    conditions = " AND ".join(f'"{name}" = ?' for name in where)
    order = ", ".join(f'"{c.name}"' for c in other.match_class.columns)
    query = f'SELECT "{other.match_class.value_name}" FROM {other.name} WHERE {conditions} ORDER BY {order}'
    expected = [value for (value,) in catalog._rows(query, [*where.values()])]
    if len(expected) != len(game.actions(position)) - 1:
        raise MissingTableError(catalog._not_solved(table, variant))
    return answer(table, variant, state, game.unit, *_ranked(game, position, expected, row["error_bound"]))


def _ranked(game: Any, position: tuple, expected: list[float], error_bound: float) -> tuple[float, list[dict]]:
    """(value, actions): two q-values within twice their error are both optimal, and undecided."""
    q = game.q_values(position, expected)
    best, tolerance = max(q.values()), 2 * game.q_error(error_bound)
    optimal = [action for action, value in q.items() if best - value <= tolerance]
    # Of several the first in the game's order is played.
    actions = [
        ranked(a, v, best - v, float(a == optimal[0]), a in optimal, a in optimal and len(optimal) > 1)
        for a, v in q.items()
    ]
    actions.sort(key=lambda a: (not a["optimal"], -a["probability"], a["regret"]))
    return best, actions
