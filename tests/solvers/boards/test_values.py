"""Boards solved as arrays: against the rational solver on random boards, and for play that need not end."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.boards.board import for_objective
from dicebase.solvers import reference
from dicebase.solvers.boards.positions import positions_of
from dicebase.solvers.boards.values import solve
from dicebase.tabulate import boards as tabulator
from dicebase.vocabulary import Board, Column, ConfigurationError, Objective, Outcome
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


def fail(row, what):
    raise CertificationError(f"{row}: {what}")


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
    """Two equally good lanes to the end, one of them longer; with `waits` the player may also wait at no cost."""

    waits: bool = False
    prize: int = 1

    title = citation = "made up"
    objectives = {"win": Objective("chance to win", "probability")}  # noqa: RUF012
    columns = (Column("field", int, "where one is"),)

    def start(self):
        return "start"

    def actions(self, state):
        return ("short", "long", "wait") if self.waits else ("short", "long")

    def afterstate(self, state, action):
        return state[0], action

    def outcomes(self, afterstate):
        if afterstate == "start":
            return [Outcome(1, (0,))]
        field, action = afterstate
        if action == "wait":
            return [Outcome(1, (field,))]
        ends = [Outcome(1, None, self.prize), Outcome(1, None)]
        if field == 0:
            return [Outcome(9, (1 if action == "short" else 2,)), *ends]
        return [Outcome(1 if action == "short" else 97, (field % 3 + 1,)), Outcome(1, (0,)), *ends]


make = partial(for_objective, Lanes.objectives["win"])


def test_the_longest_play_over_equally_good_actions_is_enclosed():
    table, _ = published(game := make()(Lanes(objective="win")))
    finding = decisions.check(game, table, fail)
    assert finding.value == pytest.approx(0.5, abs=1e-15) and finding.bound < 1e-13
    assert table.actions["undecided"].any()


@pytest.mark.parametrize("prize", [0, 1])
def test_waiting_for_ever_is_refused_at_any_reward(prize):
    game = make()(Lanes(waits=True, prize=prize, objective="win"))
    p = positions_of(game.rules)
    with pytest.raises(ConfigurationError, match="play need not end"):
        solve(p, 1)


def test_too_many_positions_are_refused_with_the_memory_they_would_take():
    @dataclass(frozen=True)
    class Endless(Lanes):
        most_positions = 1000

        def outcomes(self, afterstate):
            return [Outcome(1, (0,))] if afterstate == "start" else [Outcome(1, (afterstate[0] + 1,)), Outcome(1, None)]

    with pytest.raises(ConfigurationError, match=r"more than 1,000 positions with 2\.0 actions .* 0\.0 GB of memory"):
        positions_of(Endless(objective="win"))


BROKEN = {
    "a weight is not a whole number from 1": lambda place: [Outcome(0, None)],
    "a reward is 0.5": lambda place: [Outcome(1, None, 0.5)],
    "a sign is not 1": lambda place: [Outcome(1, (place,), 0, 3)],
    "there is none": lambda place: [],
    "no plain tuple of": lambda place: [Outcome(1, (True, 1))],
    "too large for a column": lambda place: [Outcome(1, (2**40,)), Outcome(1, None)],
    "ZeroDivisionError": lambda place: 1 // 0,
}


@pytest.mark.parametrize("what", BROKEN)
def test_enumerating_positions_finds_a_broken_law_late_in_play(what):
    @dataclass(frozen=True)
    class Late(Lanes):
        def outcomes(self, afterstate):
            if afterstate == "start":
                return [Outcome(1, (0,))]
            place, _ = afterstate
            return [Outcome(1, (place + 1,)), Outcome(1, None)] if place < 1000 else BROKEN[what](place)

    with pytest.raises(ConfigurationError, match=what):
        positions_of(Late(objective="win"))
