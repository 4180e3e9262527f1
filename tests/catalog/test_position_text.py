"""The one text of a position; tests/catalog/test_answers_agree.py asks every table by it."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicebase.catalog.ask.files import answer_file
from dicebase.catalog.ask.question import position_text, read_text
from dicebase.vocabulary import ConfigurationError
from support.every_table import every_table

GRID = every_table


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
