"""Battles of Risk: printed chances, and another solver, which follows battles forwards."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.games.risk import _losses
from reference.risk import BADER, FIVE_AGAINST_THREE, OSBORNE, THREE_AGAINST_TWO, ends, left, throw, win, worth
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, check_same, solved

SMALL, TEN = {"attackers": 4, "defenders": 3}, {"attackers": 10, "defenders": 10}


class TestRisk(BoardRulesContract):
    game = "risk"
    match = "win"
    small: ClassVar = {"win": [SMALL], "left": [SMALL], "gain": [SMALL | {"victory": 2}, SMALL]}
    published = (
        # With one die each, the attacker's is the higher one in 15 of 36 pairs.
        Published("one against one, by hand", {"attackers": 1, "defenders": 1}, Fraction(15, 36)),
    )


def test_a_throw_of_three_dice_against_two():
    assert _losses(3, 2) == THREE_AGAINST_TWO, OSBORNE


def test_five_against_three():
    values = {match: solved(f"risk_{match}", TEN).values[5, 3] for match in ("win", "left")}
    end = ends(5, 3)
    found = {
        "win": values["win"],
        "lost": 5 - values["left"],
        "beaten": sum((3 - d) * chance for (_, d), chance in end.items()),
        "one lost": end[4, 0],
    }
    for name, printed in FIVE_AGAINST_THREE.items():
        assert abs(found[name] - Fraction(printed)) <= Fraction(1, 2 * 10 ** len(printed.partition(".")[2])), BADER


@pytest.mark.parametrize(("match", "other"), [("win", win), ("left", left)])
def test_every_value_equals_a_solver_that_throws_all_dice(match, other):
    check_same(f"risk_{match}", TEN, lambda state: other(*state), 0)


def test_every_gain_equals_an_independent_solvers():
    check_same("risk_gain", TEN | {"victory": 7}, lambda state: worth(*state, 7), 0)


def test_a_defender_never_gains_by_throwing_fewer_dice():
    values = solved("risk_win", {}).values
    for (a, d), value in values.items():
        one = sum(of * values.get((a - x, d - y), a > x) for (x, y), of in throw(min(a, 3), 1).items())
        assert d == 1 or one >= value
    assert len(values) == 900


def test_where_to_stop():
    # A victory that counts two armies is too small a prize to attack three armies with one.
    table = solved("risk_gain", SMALL | {"victory": 2})
    assert table.values[1, 3] == 0 and table.actions[1, 3]["stop"]["optimal"]
    # To attack one army with one gains 2 * 15/36 - 21/36 = 1/4 of an army on average.
    assert table.actions[1, 1]["attack with 1 die"]["q_value"] == 0.25


def test_actions():
    assert build("risk_win", {}).actions((2, 9)) == ["attack with 2 dice", "attack with 1 die"]
    assert build("risk_gain", {}).actions((1, 9)) == ["attack with 1 die", "stop"]
    assert build("risk_win", {}).why_missing((3, 0)) == "the battle is over"
