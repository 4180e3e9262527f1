"""Helpers for race, reach and duel tables: a table as columns, compared with rationals and with brute force."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.solvers.reference import solve
from dicebase.tables.follow.keeps import decisions
from dicebase.tables.follow.ranking import Choices
from dicebase.tables.follow.turns import Starts
from dicebase.tables.names import find_table
from dicebase.tables.writer import Rows
from dicebase.tabulate.slices import tabulator
from dicebase.vocabulary import TIE
from support import papers_crocce_mordecki as cm

# Scoring tables of fewer dice: their duels are small enough for rationals.
POCKET = {"dice": 3, "combinations": {"1": 100, "5": 50, "11": 300}}
# Every roll scores: nobody ever loses a turn.
ALWAYS = {"dice": 2, "combinations": dict.fromkeys("123456", 50)}
# Rules that do not always allow banking.
STRICT = {**POCKET, "hot_dice": "forced", "least_bank": 100, "opening": 200}
# The opponent of a player who reaches the target has a last turn.
LAST = {**POCKET, "opening": 100, "last_turn": "others"}
DEFINITIONS = {
    "rules": {"crocce_mordecki": cm.TABLE, "pocket": POCKET, "always": ALWAYS, "strict": STRICT, "last": LAST}
}

Columns = Mapping[str, np.ndarray]


def build(name: str, **variant: Any) -> ByTurns:
    """The match of a table's variant."""
    table = find_table(name)
    return table.build(table.variant(variant, DEFINITIONS, name), DEFINITIONS)


def columns_of(parts: list[Rows]) -> Columns:
    """The rows of a variant as arrays by the names of their columns; a single legal action has the margin NaN."""
    names = parts[0].states
    return MappingProxyType(
        {n: np.concatenate([p.states[n].to_numpy(zero_copy_only=False) for p in parts]) for n in names}
    )


@cache
def columns(name: str, **variant: Any) -> Columns:
    """The table of a variant, as the production solver makes it."""
    game = build(name, **variant)
    return columns_of(list(tabulator(find_table(name))(game)))


def starts(game: ByTurns, rows: Columns) -> Starts:
    """The match, from the values of the rows at the starts of turns alone."""
    return Starts(game, rows["value"][rows["turn_total"] == 0])


def by_starts(game: ByTurns, rows: Columns, state: Columns) -> Choices:
    """The choices at positions, derived from the values at the starts of turns."""
    parts = list(decisions(game, starts(game, rows), state, []))
    q_values, found = np.full((len(state["turn_total"]), 2), np.nan), np.zeros(len(state["turn_total"]), bool)
    for some, choices in parts:
        q_values[some], found[some] = choices.q_values, choices.found
    return parts[0][1]._replace(q_values=q_values, found=found)


def check_rows(game: ByTurns, rows: Columns, decisions: Mapping, tolerance: float) -> None:
    """Compare every row with {(*record, turn total, mode): (value of rolling, value of banking or None)}."""
    names = [c.name for c in game.columns]
    states = list(zip(*(rows[name].tolist() for name in names), strict=True))
    known = {key[: len(names)]: worths for key, worths in decisions.items()}
    assert states == sorted(known), "the rows are not the positions of the reference, in order"
    for i, state in enumerate(states):
        roll, bank = known[state]
        value, margin, action = (rows[name][i] for name in ("value", "margin", "action"))
        if bank is None:
            assert action == "roll" and np.isnan(margin) and abs(value - roll) <= tolerance * max(1, roll), state
            continue
        loss = game.sense * (roll - bank)  # by how much rolling is better
        assert abs(value - (roll if loss > 0 else bank)) <= tolerance * max(1, roll), state
        assert abs(margin - abs(loss)) <= 2 * tolerance * max(1, roll), state
        assert action == ("roll" if loss > TIE else game.rules.stop), state


def check_reference(game: ByTurns, rows: Columns, tolerance: float) -> None:
    """Compare every row, and every choice of dice, with rational arithmetic on the game itself."""
    solution = solve(game)
    decisions = {
        state: tuple(
            solution.q(state, action) if action in game.actions(state) else None for action in ("roll", game.rules.stop)
        )
        for state in solution.value
        if game.listed(state)
    }
    check_rows(game, rows, decisions, tolerance)


def records_by_play(game: ByTurns) -> set[tuple]:
    """Every record that play from no points reaches, found by playing everything out."""
    start = game.start()
    found, todo, records = set(), [start], set()
    while todo:
        for outcome in game.outcomes(todo.pop()):
            state = outcome.state
            if state is not None and state not in found:
                found.add(state)
                if game.listed(state) and state[len(game.record_columns)] == 0:
                    records.add(state[: len(game.record_columns)])
                todo += [game.afterstate(state, action) for action in game.actions(state)]
    return records


def check_reachable(game: ByTurns, rows: Columns) -> None:
    """Compare the flag of every row with the records that play reaches."""
    names = [c.name for c in game.record_columns]
    found = records_by_play(game)
    records = zip(*(rows[name].tolist() for name in names), strict=True)
    assert [record in found for record in records] == rows["reachable"].tolist()
