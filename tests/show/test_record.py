"""A game written down by answering questions."""

import json

from dicebase.catalog.review.review import Reading
from dicebase.cli import main
from dicebase.show import record
from support import grids

GRID = grids.of("to_record", "tables: {pig_duel: [{target: 20}]}")
OPENING = """
definitions: {ten_thousand: {rules: {small: {dice: 2, combinations: {"1": 100, "5": 50}, opening: 200}}}}
tables: {ten_thousand_duel: [{rules: small, target: 400}]}
"""


def test_answers_become_a_record_that_can_be_reviewed(results, tmp_path, monkeypatch, capsys):
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
    assert asked[1] == "What did Ann roll? " and asked[-2:] == ["   1: hold  2: roll\nBob's choice: "] * 2
    assert "roll '7': cannot be rolled here" in (out := capsys.readouterr().out) and "4 entries" in out
    assert main(["review", str(path), "--results", str(results)]) == 0
    assert main(["record", "pig_duel", "-o", str(path), "--results", str(results)]) == 2
    assert "exists; give the name of a new file" in capsys.readouterr().err


def test_players_are_told_the_score_lost_turns_and_what_they_need_to_bank(
    tmp_path, tmp_path_factory, monkeypatch, capsys
):
    results = grids.of("opening", OPENING)(tmp_path_factory)
    said, told = iter(["Ann", "15", "34", "Bob", "11", "keep 11, bank"]), []

    def answer(question):
        told.append(capsys.readouterr().out + question)
        if (text := next(said, "q")) == "q":
            raise EOFError
        return text

    monkeypatch.setattr("builtins.input", answer)
    capsys.readouterr()
    assert main(["record", "ten_thousand_duel", "-o", str(tmp_path / "game.csv"), "--results", str(results)]) == 0
    with_dice = "roll with 2 dice? "
    assert told[1:3] == [f"What did Ann {with_dice}",
                         f"   To bank, Ann needs 200 points in this turn.\nWhat did Ann {with_dice}"]  # fmt: skip
    assert told[4] == f"   The roll 34 loses Ann's turn.\n   Score: Ann 0, Bob 0\nWhat did Bob {with_dice}"
    assert told[5].splitlines()[-2:] == ["   1: keep 11, bank  2: keep 11, roll 2", "Bob's choice: "]
    assert told[6] == f"   Score: Ann 0, Bob 200\nWhat did Ann {with_dice}"
    rows = (tmp_path / "game.csv").read_text().splitlines()
    assert rows[2:] == ["Ann,15,", "Ann,34,", "Bob,11,", 'Bob,,"keep 11, bank"']


def test_the_only_variant_of_a_folder_is_the_default(results, tmp_path, say, capsys):
    place = ["me=0", "opponent=0", "turn_total=10", "--results", str(results)]
    assert main(["lookup", "pig_duel", *place]) == 0
    assert capsys.readouterr().out.startswith("pig_duel  sides=6 dice=1 target=20\n")
    assert main(["lookup", "pig_duel", "10", *place[2:]]) == 2  # a position still needs all its columns
    query = "SELECT action FROM pig_duel_at(0, 0, 10)"
    assert len(say("sql", query, "--csv").splitlines()) == 3
    for words in (["card", "pig", "-o", tmp_path / "card.pdf"], ["evaluate", "pig_duel", "--policy", "hold_at 20"]):
        assert json.loads(say(*words, "--json"))["parameters"] == {"sides": 6, "dice": 1, "target": 20}
