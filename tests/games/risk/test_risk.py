"""Battles of Risk: a chance by hand, and how few dice a defender throws; the audit compares a hundred chances."""

from fractions import Fraction
from typing import ClassVar

from dicebase.games.risk import _losses
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved

SMALL, TEN = {"attackers": 4, "defenders": 3}, {"attackers": 10, "defenders": 10}


class TestRisk(BoardRulesContract):
    game = "risk"
    match = "win"
    small: ClassVar = {"win": [SMALL], "left": [SMALL], "gain": [SMALL | {"victory": 2}, SMALL]}
    larger: ClassVar = {"win": [TEN], "left": [TEN], "gain": [TEN | {"victory": 7}]}
    published = (
        # With one die each, the attacker's is the higher one in 15 of 36 pairs.
        Published("one against one, by hand", {"attackers": 1, "defenders": 1}, Fraction(15, 36)),
    )


def test_a_defender_never_gains_by_throwing_fewer_dice():
    values = solved("risk_win", {}).values
    for (a, d), value in values.items():
        losses = _losses(min(a, 3), 1)
        one = sum(many * values.get((a - x, d - y), a > x) for (x, y), many in losses.items()) / sum(losses.values())
        assert d == 1 or one >= value
    assert len(values) == 900


def test_actions():
    assert build("risk_win", {}).actions((2, 9)) == ["attack with 2 dice", "attack with 1 die"]
    assert build("risk_gain", {}).actions((1, 9)) == ["attack with 1 die", "stop"]
    assert build("risk_win", {}).why_missing((3, 0)) == "the battle is over"
