"""Frames of positions: their columns, the status of each row, and refusals; the one text of a position.

test_answers_agree.py tests that all ways of asking agree.
"""

import random

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicebase
from dicebase.catalog.ask.files import answer_file
from dicebase.catalog.ask.question import position_text, read_text
from dicebase.vocabulary import ConfigurationError, MissingTableError
from support import grids
from support.every_table import every_table

GRID = every_table


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


NUMBERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
NUMBERS += [pa.float64(), pa.string(), pa.large_string()]


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_whole_numbers_of_any_type_are_answered_in_order(db, kind):
    totals = random.Random(1).choices(range(1, 30), k=100_000)
    frame = pa.table({"turn_total": pa.array(totals).cast(kind)})
    found = db.lookup_many("pig_turn", frame)
    answers = {t: db.get("pig_turn", default={"value": None}, turn_total=t)["value"] for t in set(totals)}
    assert found["turn_total"] == frame["turn_total"] and found["value"].to_pylist() == [answers[t] for t in totals]
    for part in (frame.slice(0, 3).to_reader(), frame.to_batches()[0].slice(0, 3)):
        assert db.lookup_many("pig_turn", part)["value"].to_pylist() == [answers[t] for t in totals[:3]]


@pytest.mark.parametrize("kind", [pa.int64(), pa.null(), pa.string()], ids=str)
def test_an_empty_frame_has_an_empty_answer(db, kind):
    found = db.lookup_many("pig_turn", pa.table({"turn_total": pa.array([], kind)}))
    assert found.num_rows == 0 and found.column_names == ["turn_total", "value", "action", "margin", "status"]


NO_NUMBER = "is not a whole number"
WRONG = [
    ({"sides": [6]}, "'turn_total' is missing; a position needs turn_total"),
    ({"turn_total": [5], "side": [6]}, "'side' is not a parameter or state column; did you mean 'sides'"),
    ({"turn_total": [5], "value": [6]}, "'value' has the name of an answer's column"),
    ({"turn_total": ["5", None, "-3", "five", "x"]}, f"row 4 of 5: turn_total='five' {NO_NUMBER}"),
    ({"turn_total": [5, 6], "sides": ["6", "0x6"]}, f"row 2 of 2: sides='0x6' {NO_NUMBER}"),
    ({"turn_total": pa.array(["0x5"], pa.large_string())}, f"row 1 of 1: turn_total='0x5' {NO_NUMBER}"),
    ({"turn_total": ["5", "9" * 20]}, f"row 2 of 2: turn_total='{'9' * 20}' is too long a whole number"),
    ({"turn_total": pa.array([], pa.bool_())}, f"turn_total: bool {NO_NUMBER}"),
    ({"turn_total": [0], "sides": [{"a": 1}]}, NO_NUMBER),
    *(({"turn_total": [x]}, f"row 1 of 1: turn_total={x} {NO_NUMBER}") for x in (True, [5], [1, 2], b"5")),
    *(({"turn_total": pa.array([5], x)}, NO_NUMBER) for x in (pa.date32(), pa.timestamp("s"), pa.duration("s"))),
    (pa.table([pa.array([1]), pa.array([2])], names=["turn_total", "turn_total"]), "'turn_total' is given twice"),
]
NO_FRAMES = [pa.array([1, 2]), np.zeros((3, 3)), [1, 2], {"turn_total": 1}, None, "pig", pa.table({}), [], [{}]]
FRAMES = [(pa.table(frame), message) for frame, message in WRONG]
FRAMES += [(frame, "give a table of Arrow, ") for frame in NO_FRAMES]


@pytest.mark.parametrize(("frame", "message"), FRAMES)
def test_other_frames_are_refused(db, frame, message):
    with pytest.raises(ConfigurationError) as error:
        db.lookup_many("pig_turn", frame)
    assert str(error.value).startswith("pig_turn: ") and message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("roll", [[[1, 2]], [{"a": 1}], pa.array([b"\xff"])])
def test_rolls_of_other_types_are_refused(db, roll):
    with pytest.raises(ConfigurationError, match=r"row 1 of 1: roll=.* is not a text"):
        db.lookup_many("ten_thousand_turn", pa.table({"turn_total": [0], "roll": roll, "rules": ["pocket"]}))


def test_defaults_that_are_not_solved_are_an_error_and_not_a_column_of_nulls(db, tmp_path):
    few = grids.build(tmp_path, "tables: {pig_turn: [{sides: [2, 4], slice_by: []}]}")
    with dicebase.open(few) as opened, pytest.raises(MissingTableError, match="not solved for sides=6"):
        opened.lookup_many("pig_turn", pa.table({"turn_total": [100]}))
    with pytest.raises(MissingTableError, match="did you mean 'pig_turn'"):
        db.lookup_many("pig_tern", pa.table({"turn_total": [100]}))


class OneColumn:
    """A stub of a table whose only column holds any text."""

    columns, parameters, more, rolls, name = {"hand": "VARCHAR"}, {}, set(), False, "cards_points"

    def __init__(self, hand):
        part = type("Part", (), {"texts": {"hand": [hand]}})
        self.match, self.mapped = (
            type("Match", (), {"together": (), "spelling": {}}),
            type("Mapped", (), {"parts": {"rows": part}}),
        )

    def is_rolled(self, _):
        return False

    def own_columns(self, _, state):
        return state


@given(st.text())
def test_a_column_of_any_text_is_read_back(hand):
    table = OneColumn(hand)
    assert read_text(table, {"position": position_text(table, {}, {"hand": hand})}) == {"hand": hand}


@pytest.mark.parametrize(("hand", "text"), [("Jh 2d", '"Jh 2d"'), ('a"b', '"a""b"'), ("", "-"), ("-", "-")])
def test_texts_with_spaces_are_quoted_as_in_csv(hand, text):
    assert position_text(OneColumn(hand), {}, {"hand": hand}) == text


def test_a_wrong_text_in_a_frame_names_its_row(db):
    with pytest.raises(ConfigurationError, match=r"^pig_duel: row 2 of 2: pig_duel: position '3 5' has 2 columns"):
        db.lookup_many("pig_duel", {"position": ["3 5 4", "3 5"], "target": [20, 20]})
    assert (
        db.lookup_many("pig_duel", {"position": ["3 5 4", None], "target": [20, 20]})["status"].to_pylist()[1]
        == "unreachable"
    )


def test_all_actions_and_files_take_texts(db, tmp_path):
    asked = {"position": ["3 5 4", "3 5 -1"], "target": [20, 20]}
    found = db.lookup_many("pig_duel", asked, actions=True).to_pylist()
    known = db.lookup("pig_duel", "3 5 4", target=20)["actions"]
    assert [(row["row"], row["q_value"]) for row in found] == [*((0, a["value"]) for a in known), (1, None)]
    pyarrow.csv.write_csv(pa.table(asked), tmp_path / "in.csv")
    assert answer_file(db, "pig_duel", tmp_path / "in.csv", tmp_path / "out.csv", False, lambda *_: None) == (2, 1)


ROWS = [
    {"me": 3, "opponent": 5, "turn_total": 4, "target": 20},
    {"me": 0, "opponent": 5, "turn_total": 2, "target": 10},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}


@pytest.mark.parametrize(
    "frame",
    [
        ROWS,
        COLUMNS,
        {name: np.array(column) for name, column in COLUMNS.items()},
        np.array([*map(tuple, map(dict.values, ROWS))], dtype=[(name, np.int16) for name in COLUMNS]),
        "pandas",
        "polars",
    ],
    ids=["dicts", "lists", "arrays", "structured", "pandas", "polars"],
)
def test_frames_of_several_libraries_are_answered(db, frame):
    if isinstance(frame, str):
        frame = pytest.importorskip(frame).DataFrame(COLUMNS)
    found = db.lookup_many("pig_duel", frame)
    answers = found.to_pylist()
    assert isinstance(found, pa.Table) and answers == [row | answers[i] for i, row in enumerate(ROWS)]
    assert [answer["value"] for answer in answers] == [db.lookup("pig_duel", **row)["value"] for row in ROWS]
