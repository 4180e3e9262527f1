"""Rolls where dice are kept, asked in SQL and many at once."""

import pyarrow as pa
import pytest

import dicebase
from dicebase.vocabulary import MissingTableError
from support import kept_rolls
from support.kept_rolls import DUEL, RACE, REACH, ROLLS, kept


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return kept_rolls.results(tmp_path_factory)


@pytest.fixture(scope="module")
def solved():
    return kept_rolls.solved()


def test_the_macro_takes_a_roll_and_ranks_as_the_lookup_does(db):
    columns = "action, q_value, regret, probability, optimal, undecided"
    for roll in ("11355", "15", "123"):
        total = {5: 0, 2: 150, 3: 150}[len(roll)]
        answer = db.get(DUEL, target=500, me=100, opponent=200, turn_total=total, roll=roll)
        query = f"SELECT {columns} FROM {DUEL}_at(100, 200, {total}, roll := '{roll[::-1]}', target := 500)"
        assert db.sql(query).fetchall() == [
            (a["action"], a["value"], a["regret"], a["probability"], a["optimal"], a.get("undecided", False))
            for a in (answer["actions"] if answer else [])
        ]
    by_dice = [
        (a["action"], a["value"])
        for a in db.lookup(DUEL, target=500, me=0, opponent=0, turn_total=100, dice=3)["actions"]
    ]
    for arguments in ("0, 0, 100, 3", "0, 0, 100, dice := 3", "me := 0, opponent := 0, turn_total := 100, dice := 3"):
        query = f"SELECT action, q_value FROM {DUEL}_at({arguments}, target := 500)"
        assert db.sql(query).fetchall() == by_dice
    with pytest.raises(dicebase.DicebaseError, match=r"no decision at .* roll=22346: no such position"):
        db.rows(f"FROM {DUEL}_at(0, 0, 0, roll := 22346, target := 500)")
    assert db.sql(f"FROM {RACE}_at(100, 0, roll := 11355, target := 500)").fetchall()
    assert db.sql(f"FROM {REACH}_at(2, 100, 0, roll := 11355, target := 500, turns := 3)").fetchall()


@pytest.mark.parametrize("arguments", ["0, 0, 0", "0, 0, 0, 5, '11355'", "0, 0, 0, dice := 5, roll := 11355"])
def test_the_macro_wants_either_dice_or_a_roll(db, arguments):
    with pytest.raises(dicebase.DicebaseError, match=r"ten_thousand_duel_at: .*; give either dice or roll"):
        db.rows(f"SELECT * FROM {DUEL}_at({arguments}, target := 500)")


@pytest.mark.parametrize("table", [RACE, REACH, DUEL])
def test_many_rolls_at_once_are_answered_as_one_by_one(db, solved, table):
    columns, parameters, decisions, _ = solved[table]
    places = [
        (*p[:-1], roll)
        for p in sorted(decisions)[:: len(decisions) // 20]
        for roll in (*ROLLS[::41], "11355", "53511", "5 1", "9", "", None)
    ]
    frame = {
        name: list(column) for name, column in zip([*columns, "turn_total"], zip(*places, strict=True), strict=False)
    }
    frame |= {"roll": [p[-1] for p in places]} | {name: [x] * len(places) for name, x in parameters.items()}
    found = db.lookup_many(table, pa.table(frame))
    assert found.column_names == [*frame, "value", "action", "margin", "status"]
    assert {name: found[name].to_pylist() for name in frame} == frame
    answered = 0
    for row in found.to_pylist()[::7]:
        one = db.get(table, **{name: row[name] for name in frame}) if row["roll"] is not None else None
        answered += one is not None
        regrets = [a["regret"] for a in one["actions"]] if one else []
        margin = sorted(regrets)[1] if len(regrets) > 1 else None
        expected = (one["value"], one["actions"][0]["action"], margin) if one else (None, None, None)
        assert (row["value"], row["action"], row["margin"]) == expected
    assert answered > 5


def test_many_rolls_of_defaults_that_are_not_solved_are_an_error(db):
    frame = pa.table({"me": [0], "opponent": [0], "turn_total": [0], "roll": ["11355"]})
    with pytest.raises(MissingTableError, match="not solved for rules=crocce_mordecki target=10000"):
        db.lookup_many(DUEL, frame)


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
