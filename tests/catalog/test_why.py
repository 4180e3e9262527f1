"""An action has the probability that its roll busts, and the points that it adds on average."""

from fractions import Fraction

import pytest

from dicebase.families import family_of


def test_a_die_busts_with_one_face_in_six(db):
    hold, roll = sorted(db.lookup("pig_turn", turn_total=20)["actions"], key=lambda a: a["action"])
    assert "lost" not in hold and roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx(20 / 6)
    actions = db.lookup("forbidden_multiple_turn", multiple=10, total=207)["actions"]  # beyond the stored totals
    roll = next(a for a in actions if a["action"] == "roll")
    assert roll["lost"] == 1 / 6 and roll["gain"] == pytest.approx((1 + 2 + 4 + 5 + 6) / 6)


def test_kept_dice_have_the_odds_of_the_next_roll(db):
    """Two dice bust if each shows 2, 3, 4 or 6. A 1 adds 100, a 5 adds 50, and a pair of 1s adds 300."""
    answer = db.lookup("ten_thousand_turn", rules="pocket", turn_total=300, roll="125")
    by_dice = {a["action"].rpartition(" ")[2]: a for a in answer["actions"] if ", roll " in a["action"]}
    assert by_dice["2"]["lost"] == float(Fraction(16, 36))
    points = {1: 100, 5: 50}
    gained = 100 + sum(points.get(a, 0) + points.get(b, 0) for a in range(1, 7) for b in range(1, 7))
    assert by_dice["2"]["gain"] == pytest.approx(gained / 36)
    assert all("lost" not in a for a in answer["actions"] if a["action"].endswith("bank"))


def test_throws_have_odds_and_cards_have_none():
    from dicebase.games.hog import Rules
    from dicebase.games.ten_times_eighteen import Rules as Cards

    found = family_of(Rules).odds(Rules(max_dice=5), {}, "3")
    assert found.lost == pytest.approx(1 - (5 / 6) ** 3) and found.gain == pytest.approx(12 * (5 / 6) ** 3)
    assert family_of(Cards).odds(Cards, {}, "3") is None
