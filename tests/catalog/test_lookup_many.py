"""Frames of positions: their columns, the status of each row, and refusals.

test_answers_agree.py tests that all ways of asking agree.
"""

import random

import numpy as np
import pyarrow as pa
import pytest

import dicebase
from dicebase.vocabulary import ConfigurationError, MissingTableError
from support import grids


def test_positions_that_are_not_in_the_table_are_null(db):
    totals = [5, 1, -5, None, 2**63 - 1]
    found = db.lookup_many("pig_turn", pa.table({"turn_total": totals}))
    assert found["turn_total"].to_pylist() == totals
    assert found["action"].to_pylist() == ["roll", None, None, None, None]
    assert found["value"].null_count == found["margin"].null_count == 4
    assert found["status"].to_pylist() == ["answered"] + ["unreachable"] * 4
    assert db.lookup_many("pig_turn", pa.table({"turn_total": [5.0, 5.5]}))["action"].to_pylist() == ["roll", None]
    found = db.lookup_many("pig_turn", pa.table({"turn_total": [5, 5], "sides": [6, 7]}))
    assert found["action"].to_pylist() == ["roll", None]
    assert found["status"].to_pylist() == ["answered", "not solved"]


def test_every_roll_has_a_status_and_may_have_any_order(db):
    rolls = ["15", "51", "5,1", "23", "15", None]
    frame = pa.table({"rules": ["pocket"] * 6, "turn_total": [100] * 4 + [101, 100], "roll": rolls})
    found = db.lookup_many("ten_thousand_turn", frame)
    assert found["status"].to_pylist() == ["answered"] * 3 + ["bust"] + ["unreachable"] * 2
    assert found["action"].to_pylist() == ["keep 15, roll 3"] * 3 + [None] * 3 and found["roll"].to_pylist() == rolls
    missing = pa.table({"rules": ["pocket"], "turn_total": [0], "roll": pa.nulls(1)})
    assert db.lookup_many("ten_thousand_turn", missing)["value"].to_pylist() == [None]


def test_actions_have_a_row_each_with_the_columns_of_their_position(db):
    frame = pa.table({"turn_total": [19.0, 30.0, 1.0, None], "roll": ["a", "b", "c", "d"]})
    found = db.lookup_many("pig_turn", frame, actions=True)
    assert found["row"].to_pylist() == [0, 0, 1, 1, 2, 3] and found["roll"].to_pylist() == [*"aabbcd"]
    assert found["status"].to_pylist() == ["answered"] * 2 + ["beyond"] * 2 + ["unreachable"] * 2
    assert [found[n][4].as_py() for n in ("action", "q_value", "optimal")] == [None] * 3
    assert db.lookup_many("pig_turn", frame.slice(0, 0), actions=True).num_rows == 0
    with pytest.raises(ConfigurationError, match="'regret' has the name of an answer's column"):
        db.lookup_many("pig_turn", pa.table({"turn_total": [5], "regret": [6]}), actions=True)


def test_other_columns_pass_through_unless_they_seem_misspelt(db):
    frame = pa.table({"turn_total": [20, 5], "who": ["Ann", None], "id": [7, 9]})
    found = db.lookup_many("pig_turn", frame)
    assert found.select(frame.column_names) == frame and found["action"].to_pylist() == ["hold", "roll"]
    with pytest.raises(ConfigurationError, match="did you mean 'sides'"):
        db.lookup_many("pig_turn", pa.table({"turn_total": [5], "side": [6]}))
    with pytest.raises(ConfigurationError, match="'value' has the name of an answer's column"):
        db.lookup_many("pig_turn", pa.table({"turn_total": [5], "value": [6]}))


NUMBERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
NUMBERS += [pa.float64(), pa.string(), pa.large_string()]


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_whole_numbers_of_any_type_are_answered_in_order(db, kind):
    totals = random.Random(1).choices(range(1, 30), k=100_000)
    frame = pa.table({"turn_total": pa.array(totals).cast(kind)})
    found = db.lookup_many("pig_turn", frame)
    answers = {t: db.get("pig_turn", default={"value": None}, turn_total=t)["value"] for t in set(totals)}
    assert found["turn_total"] == frame["turn_total"] and found["value"].to_pylist() == [answers[t] for t in totals]
    for given in (frame.slice(0, 3).to_reader(), frame.to_batches()[0].slice(0, 3)):
        assert db.lookup_many("pig_turn", given)["value"].to_pylist() == [answers[t] for t in totals[:3]]


@pytest.mark.parametrize("kind", [pa.int64(), pa.null(), pa.string()], ids=str)
def test_an_empty_frame_has_an_empty_answer(db, kind):
    found = db.lookup_many("pig_turn", pa.table({"turn_total": pa.array([], kind)}))
    assert found.num_rows == 0 and found.column_names == ["turn_total", "value", "action", "margin", "status"]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"sides": [6]}, "'turn_total' is missing; a position needs turn_total"),
        ({"turn_total": [5], "side": [6]}, "'side' is not a parameter or state column; did you mean 'sides'"),
        ({"turn_total": ["5", None, "-3", "five", "x"]}, "row 4 of 5: turn_total='five' is not a whole number"),
        ({"turn_total": [5, 6], "sides": ["6", "0x6"]}, "row 2 of 2: sides='0x6' is not a whole number"),
        ({"turn_total": pa.array(["0x5"], pa.large_string())}, "row 1 of 1: turn_total='0x5' is not a whole number"),
        ({"turn_total": ["5", "9" * 20]}, f"row 2 of 2: turn_total='{'9' * 20}' is too long a whole number"),
        ({"turn_total": [[5]]}, "row 1 of 1: turn_total=[5] is not a whole number"),
        ({"turn_total": pa.array([], pa.bool_())}, "turn_total: bool is not a whole number"),
    ],
)
def test_a_missing_an_unknown_and_a_wrong_column_are_errors(db, frame, message):
    with pytest.raises(ConfigurationError) as error:
        db.lookup_many("pig_turn", pa.table(frame))
    assert str(error.value).startswith("pig_turn: ") and message in str(error.value) and "\n" not in str(error.value)


def test_defaults_that_are_not_solved_are_an_error_and_not_a_column_of_nulls(db, tmp_path):
    few = grids.build(tmp_path, "tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}")
    with dicebase.open(few) as opened, pytest.raises(MissingTableError, match="not solved for sides=6"):
        opened.lookup_many("pig_turn", pa.table({"turn_total": [100]}))
    with pytest.raises(MissingTableError, match="did you mean 'pig_turn'"):
        db.lookup_many("pig_tern", pa.table({"turn_total": [100]}))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_pandas_and_polars_frames_are_answered(db, library):
    frames = pytest.importorskip(library)
    found = db.lookup_many("pig_turn", frames.DataFrame({"turn_total": [20, 5, 1], "sides": [6, 6, 6]}))
    assert isinstance(found, pa.Table)
    assert found["action"].to_pylist() == ["hold", "roll", None]
    assert found["turn_total"].to_pylist() == [20, 5, 1]
    empty = frames.DataFrame({"turn_total": [5]}).head(0)
    assert db.lookup_many("pig_turn", empty).num_rows == 0


@pytest.mark.parametrize(
    "columns",
    [
        {"turn_total": [True]},
        {"turn_total": [[1, 2]]},
        {"turn_total": pa.array([0], pa.date32())},
        {"turn_total": pa.array([5], pa.timestamp("s"))},
        {"turn_total": pa.array([5], pa.duration("s"))},
        {"turn_total": [b"5"]},
        {"turn_total": [0], "sides": [{"a": 1}]},
    ],
)
def test_columns_of_the_wrong_type_are_refused(db, columns):
    with pytest.raises(ConfigurationError, match=r"row 1 of 1: .* is not a whole number"):
        db.lookup_many("pig_turn", pa.table(columns))
    for roll in ([[1, 2]], [{"a": 1}], pa.array([b"\xff"])):
        with pytest.raises(ConfigurationError, match=r"row 1 of 1: roll=.* is not a text"):
            db.lookup_many("ten_thousand_turn", pa.table({"turn_total": [0], "roll": roll, "rules": ["pocket"]}))


@pytest.mark.parametrize(
    "frame", [pa.array([1, 2]), np.zeros((3, 3)), [1, 2], {"turn_total": 1}, None, "pig", pa.table({}), [], [{}]]
)
def test_objects_that_are_not_frames_are_refused(db, frame):
    with pytest.raises(ConfigurationError, match=r"^pig_turn: give a table of Arrow, .* named fields, not this"):
        db.lookup_many("pig_turn", frame)


def test_columns_with_the_same_name_are_refused(db):
    twice = pa.table([pa.array([1]), pa.array([2])], names=["turn_total", "turn_total"])
    with pytest.raises(ConfigurationError, match="'turn_total' is given twice"):
        db.lookup_many("pig_turn", twice)
