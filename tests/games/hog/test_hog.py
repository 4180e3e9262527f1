"""Hog for one player and by turns: closed forms, and all numbers of small variants against an independent solution."""

from fractions import Fraction
from typing import ClassVar

import pytest

from dicebase.games.hog import Rules
from reference import hog as paper
from support.contract import Published, ThrowRulesContract
from support.contract_throws import build, check_said, tabulated
from support.contract_turns import read_rows


class TestHog(ThrowRulesContract):
    game = "hog"
    small: ClassVar = {
        "turn": ({"max_dice": 10}, {"sides": 2, "max_dice": 3}, {"sides": 3, "max_dice": 4}, {"max_dice": 1}),
        "race": (
            {"target": 13, "max_dice": 4},
            {"target": 1, "max_dice": 3},
            {"sides": 2, "max_dice": 3, "target": 7},
            {"sides": 10, "max_dice": 2, "target": 21},
        ),
        "reach": (
            {"target": 13, "max_dice": 4, "throws": 3},
            {"target": 1, "max_dice": 2, "throws": 1},
            {"sides": 2, "max_dice": 3, "target": 7, "throws": 4},
            {"sides": 3, "max_dice": 3, "target": 9, "throws": 5},
        ),
        "duel": (
            {"target": 5, "max_dice": 3},
            {"target": 1, "max_dice": 3},
            {"sides": 2, "max_dice": 3, "target": 7},
            {"sides": 8, "max_dice": 2, "target": 6},
            {"sides": 2, "max_dice": 2, "target": 5, "on_one": "all"},
            {"target": 3, "max_dice": 2, "on_one": "all"},
        ),
        "simultaneous": (
            {"target": 5, "max_dice": 4},
            {"target": 1, "max_dice": 5},
            {"sides": 2, "max_dice": 3, "target": 7},
            {"sides": 10, "max_dice": 2, "target": 8},
            {"target": 6, "max_dice": 3, "on_one": "all"},
            {"sides": 2, "max_dice": 3, "target": 6, "on_one": "all"},
        ),
    }
    published = (
        Published("Tijms and van der Wal (2005), Table 1", {"max_dice": 10}, "8.0376"),
        # Section 2: d dice show no 1 with probability (5/6)^d, and then score 4 d on average; 5 and 6 dice are tied.
        Published("section 2", {"max_dice": 30}, 4 * 5 * Fraction(5, 6) ** 5),
        Published("section 2, with 4 dice", {"max_dice": 4}, 4 * 4 * Fraction(5, 6) ** 4),
        # One die shows a 2 half of the time, and scores 1 on average.
        Published("a coin, by hand", {"sides": 2, "max_dice": 2}, 1),
    )


ROOM = [(6, 10), (6, 5), (2, 4), (3, 6), (4, 3), (10, 4), (20, 3)]


def same(ranked, names, value, Q, best, sign=1):
    """Check that a row has these rationals, rounded once: value, q-values, regrets and ties."""
    assert names == [str(d) for d in Q]
    assert ranked.value == float(value) and ranked.q_values == [float(q) for q in Q.values()]
    assert ranked.regrets == [float(sign * (value - q)) for q in Q.values()]
    assert [int(d) for d, o in zip(names, ranked.optimal, strict=True) if o] == best
    assert not any(ranked.undecided)
    check_said(ranked)


@pytest.mark.parametrize(("sides", "dice"), ROOM)
def test_throws_equal_an_independent_count(sides, dice):
    rules = Rules(sides, dice)
    for d in rules.choices:
        weights = rules.gains(d)
        assert sum(weights.values()) == sides**d
        counted = {gain: p for gain, p in enumerate(paper.gains(d, sides)) if p}
        assert {gain: Fraction(weight, sides**d) for gain, weight in weights.items()} == counted
    assert rules.gains(1) == {0: 1, **dict.fromkeys(range(2, sides + 1), 1)}


@pytest.mark.parametrize(("sides", "dice"), ROOM)
def test_the_most_points_of_a_throw(sides, dice):
    rows = tabulated("hog", "turn", {"sides": sides, "max_dice": dice})
    ((state, (names, ranked, _)),) = read_rows(rows).items()
    Q, best = paper.turn(dice, sides)
    assert state == () and rows.exact == max(Q.values())
    same(ranked, names, max(Q.values()), Q, best)
    # sides - 1 dice and sides dice have the same expected score, the largest of all.
    assert best == ([sides - 1, sides] if dice >= sides else [min(dice, sides - 1)])


def test_a_coin_scores_by_twos():
    game = build("hog", "race", {"sides": 2, "target": 7})
    assert game.unit_of_points == 2 and list(game.records()) == [(0,), (2,), (4,), (6,)]
    assert game.why_missing((3,)) == "score must be a multiple of 2 from 0, less than the target of 7"
