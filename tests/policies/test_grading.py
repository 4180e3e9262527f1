"""Policies that list only exceptions, and graded decisions: which are wrong, and what they lose."""

import pyarrow.csv
import pytest

import dicebase
from dicebase import policies
from dicebase.cli import main
from dicebase.vocabulary import ConfigurationError
from support import commands

PIG, HOG = {"target": 12}, {"target": 12, "max_dice": 4}
HEAD = "me,opponent,turn_total,action\n"


def test_a_file_of_exceptions_changes_only_its_states(duels, file):
    rows = "".join(f"0,0,{total},hold\n" for total in range(2, 12))
    mixed = policies.evaluate(duels, "pig_duel", f"hold_at 6 except {file(HEAD + rows)}", **PIG)
    stated = policies.evaluate(duels, "pig_duel", "hold_at 1 if max(me, opponent) == 0 else 6", **PIG)
    assert [mixed[n] for n in ("first", "second", "cost")] == [stated[n] for n in ("first", "second", "cost")]
    assert mixed["cost"] == pytest.approx(1 - mixed["first"] - mixed["second"], abs=1e-15) and mixed["cost"] > 0
    name = file("me,opponent,action\n0,0,3\n")
    thrown = policies.evaluate(duels, "hog_duel", f"always_2 except {name}", **HOG)
    stated = policies.evaluate(duels, "hog_duel", "always 3 if max(me, opponent) == 0 else 2", **HOG)
    assert thrown["first"] == stated["first"] != policies.evaluate(duels, "hog_duel", "always_2", **HOG)["first"]
    with dicebase.open(duels) as db:
        best = db.sql("SELECT * EXCLUDE (value, margin) FROM bear_off_duel LIMIT 1").to_arrow_table()
        pyarrow.csv.write_csv(best, name := file(""))
        found = policies.evaluate(db, "bear_off_duel", f"optimal except {name}")
    assert found["average"] == pytest.approx(policies.evaluate(duels, "bear_off_duel", "optimal")["average"], abs=1e-15)
    with pytest.raises(ConfigurationError, match="NAME except FILE"):
        policies.evaluate(duels, "pig_duel", file(HEAD + rows), **PIG)


def test_tied_and_optimal_actions_are_right_and_others_cost_their_regret(duels, file):
    with dicebase.open(duels) as db:
        found = db.sql("SELECT me, opponent, turn_total, action FROM pig_duel_actions "
                       "WHERE target = 12 AND optimal").to_arrow_table()  # fmt: skip
        pyarrow.csv.write_csv(found, name := file(""))
        answer = policies.grade(db, name, "pig_duel", **PIG)
        assert answer["right"] == answer["positions"] == len(found) and answer["wrong"] == []
        assert answer["cost"] == pytest.approx(0, abs=1e-14)
        place = {"me": 0, "opponent": 0, "turn_total": 7}
        worse = db.lookup("pig_duel", **PIG, **place)["actions"][1]
        answer = policies.grade(db, file(f"{HEAD}0,0,2,roll\n0,0,7,{worse['action']}\n"), **PIG)
        assert (answer["table"], answer["positions"], answer["right"]) == ("pig_duel", 2, 1)
        (wrong,) = answer["wrong"]
        assert wrong["cost"] == answer["loss"] == worse["regret"] and wrong["optimal"] != wrong["action"]
        mistakes = policies.mistakes(db, "pig_duel", f"optimal except {name}", **PIG).to_pylist()
        assert answer["cost"] == pytest.approx(2 * sum(row["loss"] for row in mistakes), abs=1e-14)
        # At 20, rolling once more is equally good; a turn has no opponent.
        assert policies.grade(db, file("turn_total,action\n20,roll\n20,hold\n19,hold\n"))["cost"] is None
        assert policies.grade(db, file("turn_total,action\n20,roll\n20,hold\n19,hold\n"))["right"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "0,0,3,bank\n", "line 2: action=bank is not one of hold, roll|line 2: action=bank is not one of roll"),
        (HEAD + "0,0,3,roll\n0,0,50,roll\n", "line 3: unreachable"),
        ("me,me,action\n3,3,roll\n", "has a column twice"),
        ("me,action\n3,roll\n", "its columns fit no solved table; name the table"),
    ],
)
def test_files_that_cannot_be_graded_are_refused(duels, file, text, message):
    with pytest.raises(ConfigurationError, match=message):
        policies.grade(duels, file(text), **PIG)


def test_the_command_lists_the_most_costly_errors(duels, file, capsys):
    assert main(["grade", file(HEAD + "0,0,2,hold\n"), "pig_duel", "target=12", "--results", str(duels)]) == 0
    first, second, _, header, row = capsys.readouterr().out.splitlines()
    assert first.endswith("0 of 1 positions of pig_duel are right") and "loses 11.4195 %" in second
    assert header.split() == ["me", "opponent", "turn_total", "action", "optimal", "cost"]
    assert row.split()[:5] == ["0", "0", "2", "hold", "roll"]


def test_simplify_reads_and_prints_a_solved_table(duels, tmp_path, capsys):
    words = ["pig_duel", "target=12", "sides=3", "--results", str(duels)]
    assert main(["simplify", *words, "--numbers", "1", "--output", str(tmp_path / "card.html")]) == 0
    said = capsys.readouterr().out
    assert "pace: loses 4.9995 % to optimal play, proved the best of its form;" in said
    assert "Hold at 6." in said and "--policy 'hold_at 6'" in said
    page = (tmp_path / "card.html").read_text()
    assert "Hold at 6." in page and "This card loses 4.9995 % to optimal play, proved the best of its form." in page
    assert "a name that ends in .pdf" in commands.error_of(
        capsys, "simplify", *words, "--output", str(tmp_path / "card.doc")
    )


def test_a_printed_card_has_the_label_and_the_scores_of_its_rules(tmp_path):
    config = tmp_path / "mine.yaml"
    rules = "{label: Our table, dice: 3, combinations: {'1': 100, '5': 50}}"
    config.write_text(f"definitions: {{ten_thousand: {{rules: {{mine: {rules}}}}}}}\n")
    words = ["simplify", "ten_thousand_turn", "rules=mine", "--numbers", "2", "--results", str(tmp_path)]
    assert main([*words, "--config", str(config), "--output", str(tmp_path / "card.html")]) == 0
    page = (tmp_path / "card.html").read_text()
    assert "Our table</h1>" in page and "= 100" in page and "mine" not in page


@pytest.mark.slow
def test_simplify_solves_what_the_folder_lacks(duels, tmp_path, capsys):
    words = ["pig_duel", "target=12", "sides=3", "--numbers", "1", "--results"]
    assert main(["simplify", *words, str(duels)]) == 0
    solved = capsys.readouterr().out
    assert main(["simplify", *words, str(tmp_path)]) == 0
    assert capsys.readouterr().out == solved and not any(tmp_path.iterdir())
