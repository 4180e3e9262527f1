"""Positions past the stored totals of a turn are answered by the theorem, the same everywhere."""

from fractions import Fraction

import pyarrow as pa
import pytest

from dicebase.vocabulary import DicebaseError, MissingStateError, as_roll, weighted_mean


@pytest.mark.parametrize(
    "table, position",
    [
        ("pig_turn", {"turn_total": 30}),
        ("pig_turn", {"turn_total": 10**6 + 1, "dice": 2}),
        ("forbidden_multiple_turn", {"total": 201, "multiple": 10}),
        ("forbidden_multiple_turn", {"total": 1999, "multiple": 7}),
        ("ten_thousand_turn", {"rules": "pocket", "turn_total": 20_000, "roll": "5 1, 1"}),
        ("ten_thousand_turn", {"rules": "pocket", "turn_total": 9_050, "roll": "[1]"}),
    ],
)
def test_a_position_past_the_stored_ones_is_worth_what_the_rules_say(db, table, position):
    answer = db.lookup(table, **position)
    assert answer["beyond"] is True and "totals are stored to" in answer["note"]
    variant = db.solved(table).find(answer["parameters"])
    game, state = variant.game, tuple(answer["state"].values())
    for action in answer["actions"]:
        outcomes = list(game.outcomes(game.afterstate(state, action["action"])))
        assert action["value"] == float(
            weighted_mean([o.weight for o in outcomes], [Fraction(o.reward) for o in outcomes])
        )
    frame = pa.table({name: [value] for name, value in position.items()})
    many = db.lookup_many(table, frame).to_pylist()[0]
    best = answer["actions"][0]
    assert (many["value"], many["action"], many["status"]) == (answer["value"], best["action"], "beyond")
    given = ", ".join(
        repr(value) if name in answer["state"] else f"{name} := {value!r}"
        for name, value in sorted(position.items(), key=lambda item: item[0] not in answer["state"])
    )
    names, rows = db.rows(f"FROM {table}_at({given})")
    assert names[-1] == "beyond" and len(rows) == len(answer["actions"])
    for row, action in zip(rows, answer["actions"], strict=True):
        assert row[0] == action["action"] and row[4] is action["optimal"] and row[6] is True
        assert row[1] == pytest.approx(action["value"], rel=1e-15)


@pytest.mark.parametrize(
    "table, position",
    [
        ("pig_turn", {"turn_total": 2**53}),
        ("forbidden_multiple_turn", {"total": 200, "multiple": 10}),
        ("ten_thousand_turn", {"rules": "pocket", "turn_total": 20_001, "roll": "115"}),
        ("ten_thousand_turn", {"rules": "pocket", "turn_total": 20_000, "roll": "23"}),
        ("ten_thousand_turn", {"rules": "pocket", "turn_total": 20_000, "roll": "9"}),
    ],
)
def test_where_no_turn_comes_nothing_is_answered(db, table, position):
    with pytest.raises(MissingStateError):
        db.lookup(table, **position)
    given = ", ".join(f"{name} := {x!r}" if name in ("multiple", "rules") else repr(x) for name, x in position.items())
    order = given if not table.startswith("ten") else ", ".join([*given.split(", ")[1:], given.split(", ")[0]])
    with pytest.raises(DicebaseError, match="no such position"):
        db.rows(f"FROM {table}_at({order})")


def test_stored_rows_say_that_they_are(db):
    assert "beyond" not in db.lookup("pig_turn", turn_total=5)
    assert {row[-1] for row in db.rows("FROM pig_turn_at(5)")[1]} == {False}


@pytest.mark.parametrize("text", ["11355", "5,3,5,1,1", "1 1 3 5 5", "[1, 1, 3, 5, 5]", "(5; 5; 3; 1; 1)", "1-1-3-5-5"])
def test_rolls_are_read_as_people_write_them(db, text):
    assert as_roll(text) == "11355"
    assert db.rows("SELECT sorted_dice(?)", [text])[1] == [("11355",)]


@pytest.mark.parametrize("text", ["", "1a", "-", "one", "m5_m1"])
def test_other_text_stays(db, text):
    assert as_roll(text) == text and db.rows("SELECT sorted_dice(?)", [text])[1] == [(text,)]
