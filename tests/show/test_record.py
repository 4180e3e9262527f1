"""A game written down by answering questions."""

import json

from dicebase.catalog.review.review import Reading
from dicebase.cli import main
from dicebase.show import record
from support import grids

CONFIG = "tables: {pig_duel: [{target: 20}]}"


def test_answers_become_a_record_that_can_be_reviewed(tmp_path, tmp_path_factory, monkeypatch, capsys):
    results = grids.once(tmp_path_factory, "to_record", lambda at: grids.build(at / "results", CONFIG)) / "results"
    path, asked = tmp_path / "game.csv", []
    said = iter(["Ann", "7", "5", "r", "1", "Bob", "3", "", "4", "bank", "q"])

    def answer(question):
        asked.append(question)
        return next(said)

    made = []
    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(record, "Reading", lambda *given: made.append(Reading(*given)) or made[-1])
    # The folder has one variant, so its target is the default.
    assert main(["record", "pig_duel", "-o", str(path), "--results", str(results)]) == 0
    head, events = "pig_duel sides=6 dice=1 target=20\nplayer,roll,action\n", "Ann,5,\nAnn,,roll\nAnn,1,\nBob,4,\n"
    assert path.read_text() == head + events
    # The record is read from its beginning at the start, after two wrong entries, and when an entry is taken back.
    assert len(made) == 4
    assert [q for q in asked if "Name" in q] == ["Name of the first player: ", "Name of the second player: "]
    assert asked[-2:] == ["Bob: roll or hold? "] * 2
    assert "roll '7': cannot be rolled here" in (out := capsys.readouterr().out) and "4 entries" in out
    assert main(["review", str(path), "--results", str(results)]) == 0
    assert main(["record", "pig_duel", "-o", str(path), "--results", str(results)]) == 2
    assert "exists; give the name of a new file" in capsys.readouterr().err


def test_the_only_variant_of_a_folder_is_the_default(tmp_path, tmp_path_factory, capsys):
    results = grids.once(tmp_path_factory, "to_record", lambda at: grids.build(at / "results", CONFIG)) / "results"
    place = ["me=0", "opponent=0", "turn_total=10", "--results", str(results)]
    assert main(["lookup", "pig_duel", *place]) == 0
    assert capsys.readouterr().out.startswith("pig_duel  sides=6 dice=1 target=20\n")
    assert main(["lookup", "pig_duel", "10", *place[2:]]) == 2  # a position still needs all its columns
    query = "SELECT action FROM pig_duel_at(0, 0, 10)"
    assert main(["sql", query, "--csv", "--results", str(results)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["card", "pig", "-o", str(tmp_path / "card.pdf"), "--json", "--results", str(results)]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"] == {"sides": 6, "dice": 1, "target": 20}
    assert main(["evaluate", "pig_duel", "--policy", "hold_at 20", "--json", "--results", str(results)]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"] == {"sides": 6, "dice": 1, "target": 20}
