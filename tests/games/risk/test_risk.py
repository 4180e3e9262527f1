"""Battles of Risk: printed chances, where the attacker stops, and how few dice a defender throws."""

from fractions import Fraction
from typing import ClassVar

from dicebase.games.risk import _losses
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, solved
from support.printed import agrees

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


def test_a_throw_of_three_dice_against_two():
    """J. A. Osborne, Markov chains for the RISK board game revisited: losses in a throw of three dice against two."""
    assert _losses(3, 2) == {(0, 2): 2890, (1, 1): 2611, (2, 0): 2275}


def test_five_against_three():
    """J. Bader, Probability of winning battles in Risk, johannesbader.ch; the audit compares a hundred chances."""
    win, left = (Fraction(solved(f"risk_{match}", TEN).values[5, 3]) for match in ("win", "left"))
    assert agrees("0.769", win) and agrees("2.18", 5 - left)


def test_a_defender_never_gains_by_throwing_fewer_dice():
    values = solved("risk_win", {}).values
    for (a, d), value in values.items():
        losses = _losses(min(a, 3), 1)
        one = sum(many * values.get((a - x, d - y), a > x) for (x, y), many in losses.items()) / sum(losses.values())
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
