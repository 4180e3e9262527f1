"""All actions of many positions, on request."""

import pyarrow as pa
import pyarrow.csv
import pytest

from dicebase.cli import main
from dicebase.vocabulary import ConfigurationError


def test_every_action_has_a_row_as_a_lookup_has_it(db):
    frame = pa.table({"turn_total": [19.0, 30.0, 1.0, 19.0, None], "who": ["a", "b", "c", "d", "e"]})
    found = db.lookup_many("pig_turn", frame, actions=True)
    assert found["row"].to_pylist() == [0, 0, 1, 1, 2, 3, 3, 4]
    assert found["who"].to_pylist() == ["a", "a", "b", "b", "c", "d", "d", "e"]
    said = ["answered"] * 2 + ["beyond"] * 2 + ["unreachable"] + ["answered"] * 2 + ["unreachable"]
    assert found["status"].to_pylist() == said
    rows = found.to_pylist()
    for total, of in ((19, rows[:2]), (30, rows[2:4])):
        for row, action in zip(of, db.lookup("pig_turn", turn_total=total)["actions"], strict=True):
            assert row["action"] == action["action"] and row["q_value"] == action["value"]
            assert (row["regret"], row["probability"]) == (action["regret"], action["probability"])
            assert row["optimal"] is action["optimal"] and row["undecided"] is False
    assert rows[4]["action"] is rows[4]["q_value"] is rows[4]["optimal"] is None


def test_rolls_are_read_as_elsewhere(db):
    frame = pa.table({"rules": ["pocket"] * 2, "turn_total": [100] * 2, "roll": ["5,1", "23"]})
    found = db.lookup_many("ten_thousand_turn", frame, actions=True)
    lookup = db.lookup("ten_thousand_turn", rules="pocket", turn_total=100, roll="15")
    assert found["action"].to_pylist() == [*(a["action"] for a in lookup["actions"]), None]
    assert found["status"].to_pylist()[-1] == "bust"


def test_a_column_called_roll_passes_through_where_no_dice_are_kept(db):
    frame = pa.table({"turn_total": [19], "roll": ["third"]})
    assert db.lookup_many("pig_turn", frame, actions=True)["roll"].to_pylist() == ["third"] * 2


def test_an_empty_frame_and_columns_that_are_taken(db):
    assert db.lookup_many("pig_turn", pa.table({"turn_total": pa.array([], pa.int32())}), actions=True).num_rows == 0
    with pytest.raises(ConfigurationError, match="'regret' is what an answer is called"):
        db.lookup_many("pig_turn", pa.table({"turn_total": [5], "regret": [6]}), actions=True)


def test_a_file_numbers_its_rows_across_pieces(results, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dicebase.catalog.ask.files.AT_ONCE", 2)
    pyarrow.csv.write_csv(pa.table({"turn_total": [19, 20, 21]}), tmp_path / "in.csv")
    files = ["--from", str(tmp_path / "in.csv"), "--to", str(tmp_path / "out.csv"), "--actions"]
    assert main(["lookup", "pig_turn", *files, "--results", str(results)]) == 0
    assert pyarrow.csv.read_csv(tmp_path / "out.csv")["row"].to_pylist() == [0, 0, 1, 1, 2, 2]
    assert "3 of 3 positions answered" in capsys.readouterr().out
