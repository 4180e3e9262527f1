"""Checks of the contract of a board: its positions, its drawing, and its certified table against rationals."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dicebase.certify.certificate import Certificate
from dicebase.matches.boards.board import BoardGame
from dicebase.pipeline import steps
from dicebase.pipeline.plan import make_slice, slice_name
from dicebase.solvers.reference import Solution, solve
from dicebase.tables.layout import SliceFiles
from dicebase.tables.names import find_table
from dicebase.vocabulary import TIE, Dice, Pieces, Piles, Scale, Squares, State, Tiles
from reference import board_rules
from reference.value_iteration import action_values, values
from support.contract_play import check_play
from support.shared_slices import shared


@dataclass(frozen=True)
class Solved:
    """A variant as stored in its files, with its valid certificate."""

    columns: list[str]
    states: pa.Table
    acted: pa.Table
    certificate: Certificate

    @cached_property
    def values(self) -> dict[State, float]:
        return {tuple(row[c] for c in self.columns): row["value"] for row in self.states.to_pylist()}

    @cached_property
    def actions(self) -> dict[State, dict[str, dict[str, Any]]]:
        """The rows of each state by action."""
        found = {}
        for row in self.acted.to_pylist():
            found.setdefault(tuple(row[c] for c in self.columns), {})[row["action"]] = row
        return found


def build(name: str, variant: dict[str, Any]) -> BoardGame:
    """The game of a table's variant."""
    table = find_table(name)
    return table.build(table.variant(variant, {}, name), {})


def solved(name: str, variant: dict[str, Any]) -> Solved:
    """A variant of a table, solved, written and certified once per test run."""
    return _solved(name, tuple(find_table(name).variant(variant, {}, name).items()))


@cache
def _solved(name: str, variant: tuple) -> Solved:
    piece = make_slice(find_table(name), slice_name(dict(variant)), [dict(variant)], {})
    with TemporaryDirectory() as folder, shared():
        files = SliceFiles(Path(folder), name, piece.name)
        steps.solve(files.results, piece.key)
        steps.certify(files.results, name, piece.name, piece.certificate_key)
        (row,) = pq.read_table(files.certificate).to_pylist()
        said = {f.name: row.get(f.name) for f in fields(Certificate)}
        said |= {of: json.loads(row[of]) for of in ("parameters", "definitions")}
        columns = [c.name for c in build(name, dict(variant)).columns]
        return Solved(columns, pq.read_table(files.rows), pq.read_table(files.actions), Certificate(**said))


def check_table(name: str, variant: dict[str, Any]) -> None:
    """Compare every number of the table with rational arithmetic on the rules: exactly if the table is rational,
    otherwise within its bound."""
    game, table = build(name, variant), solved(name, variant)
    solution, bound = solve(game), table.certificate.error_bound
    exact = table.certificate.exact and Fraction(table.certificate.exact)
    assert list(table.values) == sorted(solution.value), "the positions of the table are not those that play reaches"
    assert abs(table.certificate.value - solution.start) <= bound
    assert exact is None or exact == solution.start
    check_transitions(game, list(table.values), table.certificate.transitions)
    for state, value in solution.value.items():
        actions = game.actions(state)
        assert list(table.actions[state]) == list(actions)
        assert abs(table.values[state] - value) <= bound
        assert exact is None or table.values[state] == float(value)
        check_actions(solution, state, table.actions[state], bound if exact is None else 0)


def check_transitions(game: BoardGame, states: list[State], stored: dict[str, list]) -> None:
    """Compare how play continues from every position with the rules; `states` are in the order of the rows."""
    columns = (stored[name] for name in ("weight", "to", "pays", "turns"))
    outcomes, (begin, *ends) = [*zip(*columns, strict=True)], stored["falls"]
    falls = [outcomes[i:j] for i, j in zip((begin, *ends), ends, strict=False)]
    rows = {state: row for row, state in enumerate(states)} | {None: -1}
    places = [game.afterstate(state, action) for state in states for action in game.actions(state)]
    for place, number in zip((game.start(), *places), (0, *stored["after"]), strict=True):
        said = [(weight, rows[state], paid, sign < 0) for weight, state, paid, sign in game.tuples(place)]
        assert said == falls[number], place
    assert sum(map(len, falls)) == len(outcomes) and len(falls) == len({game.start(), *places})


def check_actions(solution: Solution, state: State, rows: dict[str, dict[str, Any]], bound: float) -> None:
    """Check the rows of a position's actions; if the bound is 0, they are rationals rounded once."""
    for action, row in rows.items():
        q = solution.q(state, action)
        regret = abs(solution.value[state] - q)
        if not bound:
            assert (row["q_value"], row["regret"], row["optimal"]) == (float(q), float(regret), regret == 0)
            continue
        assert abs(row["q_value"] - q) <= 2 * bound and abs(row["regret"] - regret) <= 4 * bound
        assert row["optimal"] or regret > 0, "an action that is best is called worse"
        assert regret == 0 or row["undecided"] or not row["optimal"]
        assert not row["undecided"] or regret <= TIE * max(1, abs(solution.value[state])) + 4 * bound


def check_same(name: str, variant: dict[str, Any], value: Callable[[State], Any], near: float) -> None:
    """Compare every value of the table with an independent solver, whose own errors are at most `near`."""
    table = solved(name, variant)
    for state, ours in table.values.items():
        assert abs(ours - value(state)) <= table.certificate.error_bound + near, state


def check_stated(name: str, variant: dict[str, Any]) -> None:
    """Compare the values of the game, of every state and of every action with separately stated rules."""
    game, table = find_table(name), solved(name, variant)
    given = game.variant(variant, {}, name)
    rules = getattr(board_rules, game.game)(name.removeprefix(f"{game.game}_"), **given)
    start, found = values(rules, build(name, variant).sense)
    states = {rules.named(state): state for state in found if state}
    near = table.certificate.error_bound + 1e-13 * max(1, abs(start))
    assert abs(table.certificate.value - start) <= near and table.values.keys() == states.keys()
    for key, state in states.items():
        assert abs(table.values[key] - found[state]) <= near, key
        actions = sorted(row["q_value"] for row in table.actions[key].values())
        pairs = zip(actions, action_values(rules, state, found), strict=True)
        assert all(abs(ours - stated) <= 2 * near for ours, stated in pairs), key


def check_positions(game: BoardGame) -> None:
    """Check every position that play reaches, and its drawing."""
    place = {c.name: i for i, c in enumerate(game.columns)}
    for state in check_play(game):
        for drawn in game.rules.drawing:
            check_drawn(drawn, state[place[drawn.column]])


def check_drawn(drawn: Any, entry: Any) -> None:
    """Check that a column of a position fits its drawing."""
    if isinstance(drawn, Dice):
        assert str(entry).isdigit() or not any(map(str.isdigit, entry)), "no dice were thrown"
    elif isinstance(drawn, Tiles):
        shown = [drawn.labels.index(tile) for tile in entry]
        assert shown == sorted(set(shown)) and len({*drawn.labels}) == len(drawn.labels)
    elif isinstance(drawn, Pieces | Scale):
        assert type(entry) is int and entry >= 0
    elif isinstance(drawn, Piles):
        assert len({*drawn.labels}) == len(drawn.labels) == len(entry) and entry == entry.upper() and entry.isalnum()
    else:
        assert isinstance(drawn, Squares) and len({*drawn.places}) == len(drawn.places) == len(entry)
        assert len({*entry} - drawn.pieces.keys()) <= 1, "one character is an empty square"
        assert all(0 <= square < len(entry) for square in drawn.marked + drawn.path)
