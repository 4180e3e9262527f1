"""A table solved and opened in one call of Python."""

from pathlib import Path

import pyarrow as pa
import pytest

import dicebase
from dicebase.vocabulary import ConfigurationError, DicebaseError


def test_a_solved_table_answers_of_its_own_variant_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with dicebase.solve("pig_duel", target=12, sides=4) as table:
        answer = table.lookup(me=3, opponent=5, turn_total=4)
        assert answer["parameters"] == {"sides": 4, "dice": 1, "target": 12}
        frame = pa.table({"me": [3, 0], "opponent": [5, 0], "turn_total": [4, 0], "who": ["Ann", "Bob"]})
        many = table.lookup_many(frame)
        assert many.column_names == [*frame.column_names, "value", "action", "margin", "status"]
        assert many["value"][0].as_py() == answer["value"]
        assert table.sql("SELECT count(*) FROM tables").fetchall() == [(1,)]
        with pytest.raises(ConfigurationError, match="give an Arrow, pandas or Polars table, or columns of one length"):
            table.lookup_many({"me": [3, 0], "opponent": [5]})
        folder = Path(table.catalog.results)
    assert not folder.exists() and list(tmp_path.iterdir()) == []
    with pytest.raises(DicebaseError, match="is closed"):
        table.lookup(me=3, opponent=5, turn_total=4)


def test_into_a_folder_it_stays_and_others_stay_beside_it(tmp_path):
    with dicebase.solve("pig_turn", results=tmp_path / "mine") as table:
        assert table.lookup(turn_total=20)["value"] == 20
    with dicebase.solve("pig_turn", results=tmp_path / "mine", sides=4) as table:
        assert {row["parameters"]["sides"] for row in table.catalog.tables()} == {4, 6}


def test_wrong_parameters_are_an_error_of_one_line():
    with pytest.raises(ConfigurationError, match="'target' is not a parameter of pig_turn"):
        dicebase.solve("pig_turn", target=5)
