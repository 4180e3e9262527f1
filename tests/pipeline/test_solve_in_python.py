"""`dicebase.solve` solves and opens a table in one call."""

from pathlib import Path

import pyarrow as pa
import pytest

import dicebase
from dicebase.vocabulary import ConfigurationError, DicebaseError


def test_a_solved_table_answers_its_variant_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with dicebase.solve("pig_duel", target=12, sides=4) as table:
        answer = table.lookup(me=3, opponent=5, turn_total=4)
        assert answer["parameters"] == {"sides": 4, "dice": 1, "target": 12}
        frame = pa.table({"me": [3, 0], "opponent": [5, 0], "turn_total": [4, 0], "who": ["Ann", "Bob"]})
        many = table.lookup_many(frame)
        assert many.column_names == [*frame.column_names, "value", "action", "margin", "status"]
        assert many["value"][0].as_py() == answer["value"]
        assert table.sql("SELECT count(*) FROM tables").fetchall() == [(1,)]
        with pytest.raises(ConfigurationError, match=r"give a table of Arrow, .*, not this dict: .*length"):
            table.lookup_many({"me": [3, 0], "opponent": [5]})
        folder = Path(table.catalog.results)
    assert not folder.exists() and list(tmp_path.iterdir()) == []
    with pytest.raises(DicebaseError, match="is closed"):
        table.lookup(me=3, opponent=5, turn_total=4)


def test_solve_refuses_a_wrong_parameter():
    with pytest.raises(ConfigurationError, match="'target' is not a parameter of pig_turn"):
        dicebase.solve("pig_turn", target=5)
