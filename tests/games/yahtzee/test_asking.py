"""Questions about score sheets: boxes by name, wrong positions, wrong rule sets."""

import pyarrow as pa
import pytest
import yaml

import dicebase
from dicebase.pipeline.solve_one import solve_one
from dicebase.tables.names import find_table
from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingStateError
from support.every_table import every_table

TABLE, NAMES = "yahtzee_score", ("twos", "threes", "three_of_a_kind", "run")
BOXES = [{"sixes": {"face": 6}}, {"yahtzee": {"of": "aaaaa", "points": 50}}]


GRID = every_table


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ({"open": "run"}, 8),
        ({"open": "twos, run"}, 9),
        ({"filled": "twos,run"}, 6),
        ({"open": "all but twos"}, 14),
        ({"open": "all"}, 15),
        ({}, 15),
    ],
)
def test_open_boxes_can_be_named_in_every_way_of_asking(db, words, number):
    dice = {"roll": "312", "rerolls_left": 1}
    ours = db.lookup(TABLE, rules="pocket", open=number, **dice)
    assert db.lookup(TABLE, rules="pocket", **words, **dice) == ours
    (row,) = db.lookup_many(TABLE, pa.Table.from_pylist([{"rules": "pocket", **words, **dice}])).to_pylist()
    assert (row["value"], row["action"]) == (ours["value"], ours["actions"][0]["action"])
    chance = db.lookup("yahtzee_exceed", rules="pocket", needed=5, open=number)["value"]
    assert db.lookup("yahtzee_exceed", rules="pocket", needed=5, **words)["value"] == chance
    frame = pa.Table.from_pylist([{"rules": "pocket", "needed": 5, **words}])
    (row,) = db.lookup_many("yahtzee_exceed", frame).to_pylist()
    assert row["value"] == chance
    if "filled" not in words:
        given = ", ".join(f"{name} := '{text}'" for name, text in {"rules": "pocket", **words}.items())
        query = f"SELECT action, q_value FROM {TABLE}_at({given}, roll := '123', rerolls_left := 1)"
        assert db.rows(query)[1] == [(a["action"], a["value"]) for a in ours["actions"]]


def test_wrong_positions_are_refused_with_a_reason(db):
    for wrong, said in (
        ({"open": "twoes"}, "open: 'twoes' is not a box; did you mean 'twos'?"),
        ({"open": "twos", "filled": "run"}, "give 'open' or 'filled', not both"),
        ({"filled": "twoes"}, "filled: 'twoes' is not a box"),
        ({"open": "twos, twos"}, "open: 'twos' occurs twice"),
        ({"roll": "123"}, "'rerolls_left' is missing"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            db.lookup(TABLE, rules="pocket", **wrong)
    for wrong, said in (
        ({"open": 0}, "no box is open: the sheet is full"),
        ({"filled": "all"}, "no box is open: the sheet is full"),
        ({"open": 16}, "open must be from 1 to 15"),
        ({"bonus": 2}, "bonus must be 0 or 1"),
        ({"upper": 3}, "upper=3 cannot be reached"),
        ({"bonus": 1}, "bonus=1 cannot be reached"),
        ({"roll": "124", "rerolls_left": 0}, "a roll is 3 digits from 1 to 3"),
        ({"roll": "123", "rerolls_left": 3}, "rerolls_left must be from 0 to 2"),
    ):
        with pytest.raises(MissingStateError, match=said):
            db.lookup(TABLE, rules="pocket", **wrong)
    for wrong, said in (
        ("open := 'twoes'", "twoes are not all boxes"),
        ("roll := '123'", "give both roll and"),
        ("roll := '123', rerolls_left := 1.5", "no such position"),
    ):
        with pytest.raises(DicebaseError, match=said):
            db.rows(f"FROM {TABLE}_at({wrong}, rules := 'pocket')")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({}, "needs 'boxes'"),
        ({"boxes": [{"sixes": {"face": 7}}]}, "boxes.sixes.face: 7 is not a whole number from 1 to 6"),
        ({"boxes": [{"x": {"of": "abcd", "points": 5}}]}, "boxes.x"),
        ({"boxes": [{"12": {"face": 6}}]}, "boxes: '12' is not a name of a box; give small letters"),
        ({"boxes": [{"all": {"face": 6}}]}, "boxes: 'all' is not a name of a box"),
        (
            {"boxes": BOXES, "further": {"box": ["yahtzee"], "points": 1, "joker": "free"}},
            "['yahtzee'] is not a box of",
        ),
        ({"boxes": BOXES, "colour": "red"}, "'colour' is not a rule"),
        ({"boxes": BOXES, "upper_bonus": {"at": 31, "points": 5}}, "upper_bonus.at: 31"),
        ({"boxes": BOXES, "further": {"box": "sixes", "points": 100, "joker": "free"}}, "'sixes' is not a box of"),
        ({"boxes": BOXES, "dice": 7}, "dice: 7 is not a whole number from 1 to 6"),
    ],
)
def test_wrong_rule_sets_are_refused_in_one_line(content, said):
    table, given = find_table(TABLE), {"rules": {"mine": content}}
    with pytest.raises(ConfigurationError, match=r"definitions\.yahtzee\.rules\.mine") as error:
        table.build(table.variant({"rules": "mine"}, given, "here"), given)
    assert said in str(error.value)


def test_sql_answers_for_two_sheets_with_different_numbers_of_dice(tmp_path):
    sheets = {f"of_{dice}": {"dice": dice, "sides": 2, "rolls": 2, "boxes": [{"twos": {"face": 2}}]} for dice in (1, 2)}
    config = tmp_path / "config.yaml"
    config.write_text(
        yaml.safe_dump({"definitions": {"yahtzee": {"rules": sheets}}, "tables": {TABLE: [{"rules": [*sheets]}]}})
    )
    for name in sheets:
        solve_one(TABLE, {"rules": name}, tmp_path, [config])
    with dicebase.open(tmp_path) as catalog:
        for name, roll, rows in (
            ("of_1", "1", [("keep nothing", 1.0), ("keep 1", 0.0)]),
            ("of_2", "12", [("keep 2", 3.0), ("keep 12", 2.0), ("keep nothing", 2.0), ("keep 1", 1.0)]),
        ):
            asked = f"{TABLE}_at(roll := '{roll}', rerolls_left := 1, rules := '{name}')"
            assert catalog.rows(f"SELECT action, q_value FROM {asked}")[1] == rows
