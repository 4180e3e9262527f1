"""Beside an action: how likely its roll is lost, and what it adds in the mean."""

from fractions import Fraction

import pytest

from dicebase.families import family_of


def test_a_die_of_pig_loses_on_a_one_and_adds_four_else(db):
    hold, roll = sorted(db.lookup("pig_turn", turn_total=20)["actions"], key=lambda a: a["action"])
    assert "lost" not in hold and roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx(20 / 6)


def test_past_the_stored_totals_as_well(db):
    roll = next(
        a for a in db.lookup("forbidden_multiple_turn", multiple=10, total=207)["actions"] if a["action"] == "roll"
    )
    assert roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx((1 + 2 + 4 + 5 + 6) / 6)


def test_of_dice_to_be_kept_it_is_that_of_the_dice_rolled_then(db):
    """Two dice score unless both are 2, 3, 4 or 6; a 1 adds 100, a 5 adds 50, two of 1 add 300."""
    answer = db.lookup("ten_thousand_turn", rules="pocket", turn_total=300, roll="125")
    by_dice = {a["action"].rpartition(" ")[2]: a for a in answer["actions"] if ", roll " in a["action"]}
    assert by_dice["2"]["lost"] == float(Fraction(16, 36))
    points = {1: 100, 5: 50}
    gained = 100 + sum(points.get(a, 0) + points.get(b, 0) for a in range(1, 7) for b in range(1, 7))
    assert by_dice["2"]["gain"] == pytest.approx(gained / 36)
    assert all("lost" not in a for a in answer["actions"] if a["action"].endswith("bank"))


def test_a_throw_of_dice_scores_nothing_with_a_one():
    from dicebase.games.hog import Rules

    found = family_of(Rules).odds(Rules(max_dice=5), {}, "3")
    assert found.lost == pytest.approx(1 - (5 / 6) ** 3) and found.gain == pytest.approx(12 * (5 / 6) ** 3)


def test_cards_have_no_odds():
    from dicebase.games.ten_times_eighteen import Rules

    assert family_of(Rules).odds(Rules, {}, "3") is None
