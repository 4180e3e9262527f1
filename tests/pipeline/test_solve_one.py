"""`dicebase solve` and `dicebase.solve`: one variant from its rules to the catalogue, or an error and no file."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

import dicebase
from dicebase.cli import main
from dicebase.vocabulary import ConfigurationError, DicebaseError
from support import grids
from support.commands import error_of


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("option", ["-o", "--results", "--output"])
def test_a_solved_table_answers_lookups(capsys, tmp_path, option):
    assert main(["solve", "pig_turn", option, "mine", "sides=4"]) == 0
    assert capsys.readouterr().out == "pig_turn: solved and certified in mine\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert "pig_turn" in (tmp_path / "mine/explorer/data/tables.json").read_text()
    with dicebase.open("mine") as catalog:
        assert catalog.lookup("pig_turn", sides=4, turn_total=2)["actions"][0]["action"] == "roll"


def test_variants_are_added_and_repeated_ones_change_nothing(tmp_path):
    for words in (
        "pig_turn sides=2",
        "pig_turn sides=2 dice=2",
        "forbidden_multiple_turn multiple=3",
        "pig_turn sides=2",
    ):
        assert main(["solve", *words.split()]) == 0
    with dicebase.open(tmp_path / "results") as catalog:
        assert len(catalog.tables()) == 3
        assert catalog.lookup("forbidden_multiple_turn", multiple=3, total=1)["value"] > 1


def test_solve_makes_the_table_of_the_workflow(results, tmp_path):
    assert main(["solve", "pig_turn", "sides=4"]) == 0
    mine = grids.rows(tmp_path / "results")["tables/pig_turn/sides=4_dice=1.parquet"]
    theirs = grids.rows(results)["tables/pig_turn/dice=1.parquet"]
    assert mine == [row for row in theirs if row["sides"] == 4]
    (tmp_path / "config.yaml").write_text("tables: {pig_turn: [{sides: 4}]}")
    assert main(["verify", "results", "--plan", "--config", "config.yaml"]) == 0


def test_solve_refuses_a_variant_of_another_slice(capsys, results_copy, tmp_path):
    before = grids.rows(results_copy)
    message = error_of(capsys, "solve", "pig_turn", "sides=4", "--results", results_copy)
    assert f"{results_copy / 'tables' / 'pig_turn' / 'dice=1.parquet'} already holds this variant" in message
    assert grids.rows(results_copy) == before


def test_names_are_defined_by_configurations_and_stored_with_the_table(tmp_path, capsys):
    (tmp_path / "mine.yaml").write_text(grids.CONFIG.partition("tables:")[0])
    (tmp_path / "other.yaml").write_text("definitions: {}")
    words = ["ten_thousand_turn", "rules=pocket", "moves=m5"]
    assert main(["solve", "--config", "mine.yaml", "--config", "other.yaml", *words]) == 0
    assert main(["lookup", *words, "turn_total=0", "roll=152", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answer["parameters"] == {"rules": "pocket", "moves": "m5"}
    assert main(["describe", "ten_thousand", "--config", "mine.yaml", "rules=pocket"]) == 0
    assert "pocket" in capsys.readouterr().out
    assert "configuration: 'tables' is a required" in error_of(capsys, "verify", "--plan", "--config", "mine.yaml")
    (tmp_path / "mine.yaml").unlink()
    assert main(["verify"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pig"], "there is no table 'pig'; did you mean pig_duel, pig_duel_cards, pig_duel_matchups, pig_duel_scores"),
        (["endless", "--config", "mine.yaml"], "no table 'endless'; it is in ten_thousand_* rules=endless"),
        (["pig_turn", "--config", "mine.yaml", "other.yaml"], "pig_turn: 'other.yaml' is not of the form name=value"),
        (["pig_turn", "--config", "empty.yaml", "sides=4"], "empty.yaml: cannot be read: No such file or directory"),
        (["pig_tern"], "there is no table 'pig_tern'; did you mean 'pig_turn'?"),
        (["pig_turn", "side=4"], "'side' is not a parameter of pig_turn; did you mean 'sides'?"),
        (["pig_turn", "sides=1"], "sides: 1 is not allowed; give a whole number from 2 to"),
        (["pig_turn", "sides=four"], "sides: 'four' is not allowed"),
        (["pig_turn", "sides"], "'sides' is not of the form name=value"),
        (["pig_turn", "turn_total=4"], "'turn_total' is not a parameter of pig_turn"),
        (["ten_thousand_turn"], "config/config.yaml: cannot be read"),
        (["ten_thousand_turn", "rules=mine", "--config", "mine.yaml"], "rules: 'mine' is not defined"),
        (["ten_thousand_turn", "rules=endless", "--config", "mine.yaml"], "the value is infinite"),
    ],
)
def test_solve_refuses_wrong_parameters_and_writes_nothing(capsys, tmp_path, words, message):
    endless = "{dice: 1, combinations: {'1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1}}"
    defined = f"definitions: {{ten_thousand: {{rules: {{endless: {endless}}}}}}}"
    (tmp_path / "mine.yaml").write_text(f"{defined}\ntables: {{pig_turn: [{{}}]}}")
    assert message in error_of(capsys, "solve", *words)
    assert [path.name for path in tmp_path.rglob("*")] == ["mine.yaml"]


def test_a_folder_that_cannot_be_written_is_named(capsys, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("precious")
    for place in ("file", "file/below"):
        assert "file" in error_of(capsys, "solve", "pig_turn", "sides=2", "-o", place)
    assert (tmp_path / "file").read_text() == "precious"

    def mkdir(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.mkdir", mkdir)
    assert "mine: Permission denied" in error_of(capsys, "solve", "pig_turn", "sides=2", "-o", "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_solve_in_python_answers_its_variant_and_leaves_no_file(tmp_path):
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
    with pytest.raises(ConfigurationError, match="'target' is not a parameter of pig_turn"):
        dicebase.solve("pig_turn", target=5)
