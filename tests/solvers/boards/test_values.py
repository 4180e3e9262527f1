"""Boards solved as arrays: against the rational solver on random boards, with many outcomes, and too large ones."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.boards.board import for_objective
from dicebase.solvers import reference
from dicebase.solvers.boards.positions import positions_of
from dicebase.tabulate import boards as tabulator
from dicebase.vocabulary import Board, Column, ConfigurationError, Objective, Outcome
from support.faults import fail
from support.random_boards import random_game

KINDS = [(objective, returns, two) for objective in ("win", "most", "least") for returns in (0, 1) for two in (0, 1)]


def published(game):
    """(the tabulator's rows as the certifier reads them, the last of the rows as tabulated)."""
    states, actions = {}, {}
    for rows in tabulator.positions(game):
        for columns, found in ((rows.states, states), (rows.beside, actions)):
            for name, column in columns.items():
                entries = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
                found.setdefault(name, []).extend(entries)
        for i, column in enumerate(game.columns):
            part = list(rows.states.values())[i]
            part = part.to_pylist() if hasattr(part, "to_pylist") else part
            actions.setdefault(column.name, []).extend(np.repeat(np.array(part, object), rows.counts).tolist())
    columns = {c.name: c.kind for c in game.columns} | {"action": str, "margin": float}
    kinds = {int: np.int32, str: object, float: float}
    states, actions = (
        {n: np.array(column, kinds[columns[n]] if n in columns else None) for n, column in found.items()}
        for found in (states, actions)
    )
    table = Published(game, states, actions)
    table.exact = rows.exact
    return table, rows


@pytest.mark.parametrize(("objective", "returns", "two"), KINDS)
def test_values_are_those_of_the_rational_solver_and_certified(objective, returns, two, monkeypatch):
    for seed in range(8):
        game = random_game(objective, seed=seed, places=9, returns=returns, two=two)
        exact = reference.solve(game)
        for outcomes in (0, 10**6) if not returns else (0,):
            monkeypatch.setattr(tabulator, "EXACT_OUTCOMES", outcomes)
            table, rows = published(game)
            finding = decisions.check(game, table, fail)
            assert (rows.exact == exact.start) if outcomes else rows.exact is None
            assert table.states == sorted(exact.value)
            for state, value in zip(table.states, table.values.tolist(), strict=True):
                assert abs(value - exact.value[state]) <= finding.bound < 2e-13
            assert finding.proof == (decisions.BY_ENCLOSURES if not outcomes and returns else finding.proof)


@pytest.mark.parametrize("two", [0, 1])
def test_a_larger_board_has_bounds_that_hold_its_residuals(two):
    table, _ = published(game := random_game("win", seed=3, places=4000, two=two))
    finding = decisions.check(game, table, fail)
    assert finding.proof == decisions.BY_ENCLOSURES and finding.residual <= finding.bound < 1e-13


@dataclass(frozen=True)
class Lanes(Board):
    """Two equally good lanes to the end, one of them longer."""

    title = citation = "made up"
    objectives = {"win": Objective("chance to win", "probability")}  # noqa: RUF012
    columns = (Column("field", int, "where one is"),)

    def start(self):
        return "start"

    def actions(self, state):
        return ("short", "long")

    def afterstate(self, state, action):
        return state[0], action

    def outcomes(self, afterstate):
        if afterstate == "start":
            return [Outcome(1, (0,))]
        field, action = afterstate
        ends = [Outcome(1, None, 1), Outcome(1, None)]
        if field == 0:
            return [Outcome(9, (1 if action == "short" else 2,)), *ends]
        return [Outcome(1 if action == "short" else 97, (field % 3 + 1,)), Outcome(1, (0,)), *ends]


def test_the_longest_play_over_equally_good_actions_is_enclosed():
    table, _ = published(game := for_objective(Lanes.objectives["win"])(Lanes(objective="win")))
    finding = decisions.check(game, table, fail)
    assert finding.value == pytest.approx(0.5, abs=1e-15) and finding.bound < 1e-13
    assert table.actions["undecided"].any()


def test_too_many_positions_are_refused_with_the_memory_they_would_take():
    @dataclass(frozen=True)
    class Endless(Lanes):
        most_positions = 1000

        def outcomes(self, afterstate):
            return [Outcome(1, (0,))] if afterstate == "start" else [Outcome(1, (afterstate[0] + 1,)), Outcome(1, None)]

    with pytest.raises(ConfigurationError, match=r"more than 1,000 positions with 2\.0 actions .* 0\.0 GB of memory"):
        positions_of(Endless(objective="win"))


@dataclass(frozen=True)
class ManyOutcomes(Board):
    """A ticket costs half a point, plus tiny amounts that a plain sum of doubles loses: they are all different, and
    each is less than half a unit in the last place of the sum. The player may stop instead."""

    title, citation = "Tickets", "made up for a test"
    columns = (Column("left", int, "tickets left"),)
    objectives = {"money": Objective("money won", "points")}  # noqa: RUF012

    def start(self):
        return 3

    def actions(self, state):
        return ("buy", "stop")

    def afterstate(self, state, action):
        return state[0] - 1 if action == "buy" else -1

    def outcomes(self, afterstate):
        if afterstate < 0:
            return [Outcome(1, None)]
        ahead = (afterstate,) if afterstate else None
        little = [Outcome(1, ahead, Fraction(-(2000 + i), 2**55)) for i in range(1364)]
        return [Outcome(1364, ahead, -1), *little]


def tickets():
    """An action with 1,365 outcomes: the game, its table in doubles, and the exact q-value."""
    game = for_objective(ManyOutcomes.objectives["money"])(ManyOutcomes(objective="money"))
    outcomes = game.rules.outcomes(0)
    exact = sum(o.weight * Fraction(o.reward) for o in outcomes) / sum(o.weight for o in outcomes)
    return game, published(game)[0], exact


def test_a_table_is_certified_whose_sums_have_1365_roundings(monkeypatch):
    monkeypatch.setattr(tabulator, "EXACT_OUTCOMES", 0)
    game, table, exact = tickets()
    (bought,) = {*table.actions["q_value"][table.actions["action"] == "buy"].tolist()}
    assert 2e-14 < abs(bought - exact) < 1e-13
    assert decisions.check(game, table, fail).bound < 1e-14


@pytest.mark.parametrize("off", [1e-12, -1e-12])
def test_a_wrong_q_value_over_1365_outcomes_is_refused(off, monkeypatch):
    monkeypatch.setattr(tabulator, "EXACT_OUTCOMES", 0)
    game, table, _ = tickets()
    row = int((table.actions["action"] == "buy").argmax())
    table.actions["q_value"][row] += off
    table.actions["regret"][row] = -table.actions["q_value"][row]
    table.margins = table.margins.copy()
    table.margins[row // 2] = table.actions["regret"][row]
    with pytest.raises(CertificationError, match="q_value of 'buy' is"):
        decisions.check(game, table, fail)
