"""THINK: one turn is a turn of Pig with two dice; and another solver, which finds its own cap."""

from fractions import Fraction
from typing import ClassVar

from dicebase.games.think import _stop_from
from reference.think import Think
from support.contract import BoardRulesContract, Published
from support.contract_boards import build, check_same, solved


class TestThink(BoardRulesContract):
    game = "think"
    match = "points"
    small: ClassVar = {"points": [{"turns": 1}, {"turns": 2}]}
    published = (
        Published(
            "one turn is one of Pig with two dice, whose value is exact", {"turns": 1}, Fraction(30599639, 3779136)
        ),
    )


def test_every_value_equals_an_independent_solvers():
    game = Think()
    check_same("think_points", {}, lambda state: game.value(*state), 1e-11)


def test_the_cap_is_never_below_one_that_is_proved_from_the_values():
    game = Think()
    table = solved("think_points", {})
    for left, points, _ in table.values:
        assert game.cap(left, points) <= _stop_from(left)


def test_the_cap_is_where_one_more_throw_loses_by_the_bounds():
    # In the last turn a throw risks 11 t / 36 for 200 / 36.
    assert [_stop_from(left) for left in (1, 5, 20)] == [19, 24, 66]
    for left in range(1, 21):
        n = left - 1
        keeps, gains = Fraction(10, 11) ** n * 11, Fraction(35, 36) ** n * 200
        assert keeps * _stop_from(left) >= gains > keeps * (_stop_from(left) - 1)


def test_a_total_beyond_the_cap_is_not_stored():
    game = build("think_points", {})
    assert str(_stop_from(5)) in game.note
    assert "stopping is best" in game.why_missing((5, 0, _stop_from(5)))
    assert game.why_missing((6, 0, 4)) == "no play leads there"
    assert game.actions((5, 0, 0)) == ["roll"]
