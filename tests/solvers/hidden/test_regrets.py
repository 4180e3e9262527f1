"""Regret matching comes as close to equilibrium as asked, and agrees with the linear programs."""

import pytest

from dicebase.solvers.hidden.program import solve_program
from dicebase.solvers.hidden.regrets import match_regrets
from dicebase.solvers.hidden.sequences import sequence_form
from dicebase.tabulate import hidden
from support.contract_boards import build


@pytest.mark.parametrize(("table", "variant"), [("kuhn_poker_duel", {}), ("liars_dice_duel", {"faces": 3})])
def test_both_solvers_enclose_the_same_value(table, variant):
    sides = sequence_form(build(table, variant).rules)

    def gains(mixes):
        """What best responses gain: for player 2 against mixes[0], then for player 1 against mixes[1]."""
        return [sides[1 - i].values(sides[i].plan(mixes[i]))[0][0] for i in (0, 1)]

    low, high = gains(solve_program(sides))
    assert 0 <= low + high <= 1e-15
    near_low, near_high = gains(match_regrets(sides, 1e-4))
    assert 0 <= near_low + near_high <= 1e-4
    assert -near_low <= -low + 1e-15 and high <= near_high + 1e-15


def test_the_rules_ask_for_the_gap(monkeypatch):
    game = build("kuhn_poker_duel", {})
    monkeypatch.setattr(hidden, "MOST_SEQUENCES", 0)
    gaps = []
    for gap in (1e-2, 1e-4):
        monkeypatch.setattr(type(game.rules), "gap", gap)
        sides, mixes = hidden.strategies(game)
        gaps.append(sum(sides[1 - i].values(sides[i].plan(mixes[i]))[0][0] for i in (0, 1)))
    assert 1e-4 < gaps[0] <= 1e-2 and gaps[1] <= 1e-4
