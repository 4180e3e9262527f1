"""The documented shape of an answer; answers that other variants, or another table, give for what is not solved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dicebase.catalog.advice import advice
from dicebase.catalog.solved import Ranking, Solved, State, ranked
from dicebase.vocabulary.errors import MissingStateError, MissingTableError

if TYPE_CHECKING:
    from dicebase.catalog.lookup import Catalog

VERSION = 1
"""Of the shape of an answer, workflow/schemas/answer.schema.json."""


def answer(
    solved: Solved, variant: State, state: State, certified: Mapping[str, Any], ranking: Ranking
) -> dict[str, Any]:
    """The documented shape of a lookup; where actions are bare numbers, with what they count."""
    # The unit of a game is that of its decisions; other tables list something else than the value of the game.
    match = solved.match
    found = {
        "version": VERSION,
        "table": solved.name,
        "parameters": dict(variant),
        "state": dict(state),
        "value": ranking.value,
        "unit": certified["unit"] if match.layout.decides else match.value.unit,
        **({"values": ranking.values} if ranking.values else {}),
        **({"action_unit": match.action_unit} if match.action_unit else {}),
        "actions": ranking.actions,
    }
    return found | {"advice": advice(found)}


def answer_by_another(catalog: Catalog, solved: Solved, variant: State, state: State) -> dict[str, Any]:
    """Rank the actions of a variant that is not solved from one that `answered_by` names; raises MissingTableError
    where none is solved that answers for it, MissingStateError where there is no such position."""
    table = solved.table
    match, sizes = table.match_class.answered_by or (table.match, ())
    name = f"{table.game}_{match}"
    if not sizes or name not in catalog:
        raise MissingTableError(solved.not_solved(variant))
    other = catalog.solved(name)
    shared = {n: variant[n] for n in other.parameters if n not in sizes}
    rows = [row for row in other.variants if shared.items() <= row["parameters"].items()]
    if not rows:
        raise MissingTableError(solved.not_solved(variant))
    if other is solved:
        rows.sort(key=lambda row: [row["parameters"][size] for size in sizes])
        return _answer_by_larger(solved, variant, state, rows)
    return _answer_by_ranks(solved, variant, state, other, max(rows, key=lambda row: row["states"]))


def _answer_by_larger(solved: Solved, variant: State, state: State, rows: list[dict]) -> dict[str, Any]:
    """From the smallest variant of the same table that has the same position somewhere (Listing.state_in)."""
    for row in rows:
        larger = solved.game(row)
        game = solved.table.build(variant, json.loads(row["definitions"]))
        if not game.answered_in(larger):
            continue
        position = game.state_in(larger, tuple(state.values()))
        there = position and dict(zip(state, position, strict=True))
        if ranking := there and solved.ranking(row, there):
            return answer(solved, variant, state, row, ranking)
        raise MissingStateError(solved.why_missing(game, state, there and row["parameters"] | there))
    why = f"; {game.why_not_answered}" if game.why_not_answered else ""
    raise MissingTableError(solved.not_solved(variant) + why)


def _answer_by_ranks(solved: Solved, variant: State, state: State, other: Solved, row: dict) -> dict[str, Any]:
    """From the expected rolls on slots of any scores, by rank, for cards too large to be solved."""
    game = solved.table.build(variant, json.loads(row["definitions"]))
    position = tuple(state.values())
    if (needed := game.expected_rows(position)) is None:
        raise MissingStateError(solved.why_missing(game, state))
    part = other.part(row["parameters"])
    first, count = part.ranks.span(part.key(row["parameters"] | needed))
    expected = part.rows["value"][first : first + count].tolist()
    if len(expected) != len(game.actions(position)) - 1:
        raise MissingTableError(solved.not_solved(variant))
    unit = {"unit": game.value.unit}
    return answer(solved, variant, state, unit, _ranked(game, position, expected, row["error_bound"]))


def _ranked(game: Any, position: tuple, expected: list[float], error_bound: float) -> Ranking:
    """Two q-values within twice their error are both optimal, and undecided."""
    q = game.q_values(position, expected)
    best, tolerance = max(q.values()), 2 * game.q_error(error_bound)
    optimal = [action for action, value in q.items() if best - value <= tolerance]
    # Of several the first in the game's order is played.
    actions = [
        ranked(a, v, best - v, float(a == optimal[0]), a in optimal, a in optimal and len(optimal) > 1)
        for a, v in q.items()
    ]
    actions.sort(key=lambda a: (not a["optimal"], -a["probability"], a["regret"]))
    return Ranking(best, actions)
