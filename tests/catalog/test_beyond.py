"""Positions beyond the stored totals of a turn are answered by a theorem; the notations of a roll."""

from fractions import Fraction

import pytest

from dicebase.vocabulary import DicebaseError, MissingStateError, as_roll, weighted_mean

TEN = "ten_thousand_turn"
BEYOND = [
    ("pig_turn", {"turn_total": 30}),
    ("pig_turn", {"turn_total": 10**6 + 1, "dice": 2}),
    ("forbidden_multiple_turn", {"total": 201, "multiple": 10}),
    ("forbidden_multiple_turn", {"total": 1999, "multiple": 7}),
    (TEN, {"rules": "pocket", "turn_total": 20_000, "roll": "5 1, 1"}),
    (TEN, {"rules": "pocket", "turn_total": 9_050, "roll": "[1]"}),
]
UNREACHABLE = [
    ("pig_turn", {"turn_total": 2**53}),
    ("forbidden_multiple_turn", {"total": 200, "multiple": 10}),
    (TEN, {"rules": "pocket", "turn_total": 20_001, "roll": "115"}),
    *((TEN, {"rules": "pocket", "turn_total": 20_000, "roll": roll}) for roll in ("23", "9")),
]


def macro(table, position):
    return f"FROM {table}_at({', '.join(f'{name} := {value!r}' for name, value in position.items())})"


@pytest.mark.parametrize(("table", "position"), BEYOND)
def test_a_position_beyond_the_stored_totals_has_the_value_of_the_rules(db, table, position):
    answer = db.lookup(table, **position)
    assert answer["beyond"] is True and "totals are stored to" in answer["note"]
    game, state = db.solved(table).find(answer["parameters"]).game, tuple(answer["state"].values())
    for action in answer["actions"]:
        outcomes = list(game.outcomes(game.afterstate(state, action["action"])))
        mean = weighted_mean([o.weight for o in outcomes], [Fraction(o.reward) for o in outcomes])
        assert action["value"] == float(mean)
    names, rows = db.rows(macro(table, position))
    assert names[-1] == "beyond"
    assert [row[-1] for row in rows] == [True] * len(answer["actions"])


@pytest.mark.parametrize(("table", "position"), UNREACHABLE)
def test_unreachable_positions_beyond_the_stored_totals_are_refused(db, table, position):
    with pytest.raises(MissingStateError):
        db.lookup(table, **position)
    with pytest.raises(DicebaseError, match="no such position"):
        db.rows(macro(table, position))


def test_stored_positions_are_not_marked_as_beyond(db):
    assert "beyond" not in db.lookup("pig_turn", turn_total=5)
    assert {row[-1] for row in db.rows("FROM pig_turn_at(5)")[1]} == {False}


@pytest.mark.parametrize("text", ["11355", "5,3,5,1,1", "1 1 3 5 5", "[1, 1, 3, 5, 5]", "(5; 5; 3; 1; 1)", "1-1-3-5-5"])
def test_rolls_are_read_in_several_notations(db, text):
    assert as_roll(text) == "11355"
    assert db.rows("SELECT sorted_dice(?)", [text])[1] == [("11355",)]


@pytest.mark.parametrize("text", ["", "1a", "-", "one", "m5_m1"])
def test_text_that_is_no_roll_is_not_changed(db, text):
    assert as_roll(text) == text and db.rows("SELECT sorted_dice(?)", [text])[1] == [(text,)]
