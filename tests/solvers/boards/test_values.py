"""Boards solved as arrays: against the rational solver on random boards, with many outcomes, and too large ones."""

from fractions import Fraction

import numpy as np
import pytest

from dicebase.certify import decisions
from dicebase.certify.published import CertificationError, Published
from dicebase.matches.boards.board import for_objective
from dicebase.solvers import reference
from dicebase.solvers.boards.positions import positions_of
from dicebase.tabulate import boards as tabulator
from dicebase.vocabulary import ConfigurationError, Outcome
from support.drawn_games import board, end, go
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


def play(rules):
    """The game of a board for its only objective."""
    return for_objective(rules.objectives[rules.objective])(rules)


ENDS = [end(1), end()]
# Two equally good lanes to the end, one of them longer.
LANES = {0: {"short": [go(1, 9), *ENDS], "long": [go(2, 9), *ENDS]}}
for place in (1, 2, 3):
    LANES[place] = {name: [go(place % 3 + 1, weight), go(0), *ENDS] for name, weight in (("short", 1), ("long", 97))}


def test_the_longest_play_over_equally_good_actions_is_enclosed():
    table, _ = published(game := play(board(LANES)))
    finding = decisions.check(game, table, fail)
    assert finding.value == pytest.approx(0.5, abs=1e-15) and finding.bound < 1e-13
    assert table.actions["undecided"].any()


def test_too_many_positions_are_refused_with_the_memory_they_would_take():
    def outcomes(self, afterstate):
        return [go(0)] if afterstate == "begin" else [go(afterstate[0] + 1), end()]

    endless = board({}, most_positions=1000, actions=lambda *_: ("one", "other"), outcomes=outcomes)
    with pytest.raises(ConfigurationError, match=r"more than 1,000 positions with 2\.0 actions .* 0\.0 GB of memory"):
        positions_of(endless)


def tickets():
    """The player may buy three tickets, or stop before: the game, its table in doubles, and the exact q-value.

    A ticket costs half a point, plus tiny amounts that a plain sum of doubles loses: they are all different, and each
    is less than half a unit in the last place of the sum.
    """
    paid = [(1364, -1), *((1, Fraction(-(2000 + i), 2**55)) for i in range(1364))]
    buy = [[Outcome(weight, (n,) if n < 3 else None, reward) for weight, reward in paid] for n in (1, 2, 3)]
    game = play(board({n: {"buy": outcomes, "stop": [end()]} for n, outcomes in enumerate(buy)}))
    exact = sum(o.weight * Fraction(o.reward) for o in buy[-1]) / sum(o.weight for o in buy[-1])
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
