"""Turns in which the player keeps dice: lookups of a roll rank the ways to keep some of its dice.

test_answers_agree.py tests that all ways of asking agree.
"""

import pytest

from dicebase.vocabulary import TIE, ConfigurationError, DicebaseError, MissingStateError, as_roll
from support import kept_rolls
from support.kept_rolls import DUEL, RACE, REACH, ROLLS, kept

GRID = kept_rolls.results


@pytest.fixture(scope="module")
def solved():
    return kept_rolls.solved()


def q_values(decisions, record, need, total, roll):
    """{action: value}, from `decisions`: the reference's (value of rolling, value of banking) by position."""
    found = {}
    for text, (gain, dice) in kept(roll).items():
        if total + gain >= need:
            found[f"keep {text}, bank"] = 1.0
        else:
            rolled, banked = decisions[(*record, total + gain, dice)]
            found |= {f"keep {text}, bank": banked, f"keep {text}, roll {dice}": rolled}
    return found


@pytest.mark.parametrize("table", [RACE, REACH, DUEL])
def test_every_way_to_keep_dice_is_ranked_by_its_value(db, solved, table):
    columns, parameters, decisions, sense = solved[table]
    asked = [(*record, total, roll) for *record, total, dice in decisions for roll in ROLLS if len(roll) == dice]
    for *record, total, roll in asked[:: len(asked) // 150]:
        position = parameters | dict(zip(columns, record, strict=True)) | {"turn_total": total, "roll": roll}
        need = 500 - record[-1 if table == REACH else 0]
        expected = q_values(decisions, record, need, total, roll)
        if not expected:
            with pytest.raises(MissingStateError, match=f"a roll of {roll} scores nothing: the turn is lost"):
                db.lookup(table, **position)
            continue
        answer = db.lookup(table, **position)
        assert answer["state"] == {k: v for k, v in position.items() if k not in parameters}
        actions = answer["actions"]
        assert {a["action"]: a["value"] for a in actions} == pytest.approx(expected, abs=1e-11)
        assert len(actions) == len(expected)
        best = sense * max(sense * value for value in expected.values())
        assert answer["value"] == pytest.approx(best, abs=1e-11)
        assert [a["regret"] for a in actions] == sorted(a["regret"] for a in actions)
        for a in actions:
            assert a["regret"] == pytest.approx(abs(best - expected[a["action"]]), abs=2e-11)
            assert a["optimal"] == (a["regret"] <= TIE)
        assert [a["probability"] for a in actions] == [1.0] + [0.0] * (len(actions) - 1)


def test_points_that_reach_the_target_win_and_every_way_to_get_there_is_a_proved_tie(db):
    answer = db.lookup(DUEL, target=300, me=200, opponent=0, turn_total=0, roll="11235")
    assert [(a["action"], a["value"]) for a in answer["actions"] if a["optimal"]] == [
        ("keep 115, bank", 1.0),
        ("keep 1, bank", 1.0),
        ("keep 11, bank", 1.0),
        ("keep 15, bank", 1.0),
    ]
    assert not any(a.get("undecided") for a in answer["actions"])
    assert {a["action"] for a in answer["actions"] if not a["optimal"]} == {"keep 5, roll 4", "keep 5, bank"}
    # The value of a race is its number of turns, including the last one.
    assert db.lookup(RACE, target=200, banked=100, turn_total=0, roll="12346")["value"] == 1.0


def test_two_ways_to_the_same_points_and_dice_are_a_proved_tie_and_banking_with_other_dice_too(db):
    answer = db.lookup(DUEL, rules="twins", target=300, me=0, opponent=0, turn_total=0, roll="124")
    values = {a["action"]: a for a in answer["actions"]}
    assert values["keep 1, roll 2"]["value"] == values["keep 2, roll 2"]["value"]
    assert values["keep 1, bank"]["value"] == values["keep 2, bank"]["value"]
    tied = [a for a in answer["actions"] if a["optimal"]]
    assert len(tied) in (1, 2) and not any(a.get("undecided") for a in tied)
    banks = db.lookup(DUEL, rules="twins", target=300, me=0, opponent=200, turn_total=0, roll="133")["actions"]
    assert [a["action"] for a in banks] == ["keep 133, roll 3", "keep 133, bank"], "all dice score: all are kept"


def test_many_positions_have_either_dice_or_a_roll(db):
    for more, message in (
        ({"dice": 5, "roll": "11355"}, "give 'dice' (to be rolled) or 'roll' (as they fell), not both"),
        ({}, "'dice' or 'roll' is missing; a position needs me, opponent, turn_total, dice or roll"),
        ({"rol": "11355"}, "'rol' is not a parameter or state column; did you mean 'roll'?"),
    ):
        with pytest.raises(ConfigurationError) as error:
            db.lookup_many(DUEL, [{"target": 500, "me": 0, "opponent": 0, "turn_total": 0} | more])
        assert str(error.value) == f"{DUEL}: {message}"


@pytest.mark.parametrize("arguments", ["0, 0, 0", "0, 0, 0, 5, '11355'", "0, 0, 0, dice := 5, roll := 11355"])
def test_the_macro_wants_either_dice_or_a_roll(db, arguments):
    with pytest.raises(DicebaseError, match=r"ten_thousand_duel_at: .*; give either dice or roll"):
        db.rows(f"SELECT * FROM {DUEL}_at({arguments}, target := 500)")


def test_the_ways_to_keep_are_those_of_the_rules(db):
    ways = f"SELECT _roll, _action, _gain, _after FROM data.{DUEL}_ways WHERE NOT _banks AND _rules = "
    stored = db.sql(f"{ways} 'crocce_mordecki' AND _target = 500").fetchall()
    assert sorted(stored) == sorted(
        (roll, f"keep {text}, roll {dice}", gain, dice) for roll in ROLLS for text, (gain, dice) in kept(roll).items()
    )
    twins = [
        (f"keep {text}, roll {dice}", gain, dice) for text, gain, dice in (("12", 200, 1), ("1", 100, 2), ("2", 100, 2))
    ]
    assert [way[1:] for way in db.sql(f"{ways} 'twins' AND _roll = '123' ORDER BY _number").fetchall()] == twins


@pytest.mark.parametrize("text", ["11355", "5,3,5,1,1", "1 1 3 5 5", "[1, 1, 3, 5, 5]", "(5; 5; 3; 1; 1)", "1-1-3-5-5"])
def test_rolls_are_read_in_several_notations(db, text):
    assert as_roll(text) == "11355"
    assert db.rows("SELECT sorted_dice(?)", [text])[1] == [("11355",)]


@pytest.mark.parametrize("text", ["", "1a", "-", "one", "m5_m1"])
def test_text_that_is_no_roll_is_not_changed(db, text):
    assert as_roll(text) == text and db.rows("SELECT sorted_dice(?)", [text])[1] == [(text,)]
