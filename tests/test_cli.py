"""The commands, as they are typed."""

import json
import os
import subprocess
import sys

import pytest

import dicebase
from dicebase.catalog.ask.answer import Action, Answer
from dicebase.cli import main
from dicebase.show.text import lookup_text
from support import commands


@pytest.fixture
def run(results, capsys, monkeypatch):
    """Run a command beside the results; its output."""
    monkeypatch.chdir(results.parent)

    def run(*words):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def test_tables_lists_what_is_solved(run):
    lines = run("tables").splitlines()
    assert lines[0].split() == ["table", "variants", "states", "unit", "error", "bound"]
    assert [line.split()[:2] for line in lines[1:4]] == [
        ["forbidden_multiple_turn", "3"],
        ["pig_turn", "6"],
        ["ten_thousand_turn", "2"],
    ]
    lines = run("tables", "pig_turn").splitlines()
    assert lines[0].split() == ["table", "parameters", "states", "value", "unit", "error", "bound"]
    (pig,) = (line for line in lines if "sides=6 dice=1" in line)
    assert "8.141795" in pig and "points" in pig


def test_tables_may_be_asked_for_one_table(run):
    assert len(run("tables", "pig_turn").splitlines()) == 1 + 6


def test_tables_for_machines_is_an_array_of_objects(run, results):
    with dicebase.open(results) as catalog:
        assert json.loads(run("tables", "--json")) == catalog.tables()


def test_lookup_ranks_the_actions_and_says_what_to_do(run):
    assert run("lookup", "pig_turn", "turn_total=19").splitlines() == [
        "pig_turn  sides=6 dice=1",
        "turn_total=19: 19.1667 points",
        "",
        "   action    value    regret",
        "=  roll    19.1667    0.0000",
        "   hold    19.0000  0.166667",
        "",
        "Best: roll, 0.166667 points better than hold.",
    ]


def test_lookup_says_what_a_tie_is_and_what_the_only_choice(run):
    assert "A tie: hold and roll are equally good." in run("lookup", "pig_turn", "turn_total=20")
    assert "The only choice: roll." in run("lookup", "forbidden_multiple_turn", "total=0")


def answer_of(*actions, **more):
    ranked = tuple(Action(*action, undecided=False) for action in actions)
    return Answer("t", {}, {}, "points", ranked[0].value, ranked, **more)


def said(answer):
    """The text of an answer."""
    return lookup_text(answer.as_dict())


def test_a_small_regret_is_not_printed_as_none():
    text = said(answer_of(("a", 5.0, 0.0, 1.0, True), ("b", 5.0 - 1e-9, 1e-9, 0.0, False)))
    assert "1.00e-09" in text and "Best: a, 1.00e-09 points better than b." in text


def test_a_mixed_action_shows_how_often_it_is_played():
    text = said(answer_of(("a", 0.5, 0.0, 0.25, True), ("b", 0.5, 0.0, 0.75, True)))
    assert "probability" in text and "0.2500" in text and "0.7500" in text


def test_a_mix_is_said_in_words_with_the_unit_of_its_actions():
    two = ("5", 0.5, 0.0, 0.7500, True), ("1", 0.5, 0.0, 0.2496, True)
    third, fourth = ("3", 0.5, 0.0, 0.0004, True), ("2", 0.25, 0.25, 0.0, False)
    words = said(answer_of(*two, third, fourth, action_unit="dice")).splitlines()[-1]
    assert words == "Mix: 5 dice 75.0 %, 1 die 25.0 %, 3 dice 0.04 %; 2 dice would lose 0.250000 points."
    assert said(answer_of(*two)).splitlines()[-1] == "Mix: 5 75.0 %, 1 25.0 %."


def test_a_choice_that_is_as_good_against_this_opponent_alone_is_no_tie():
    text = said(answer_of(("1", 0.5, 0.0, 1.0, True), ("2", 0.5, 0.0, 0.0, False), action_unit="dice"))
    assert text.endswith("Best: 1 die; 2 dice would be as good, if the opponent's choice stayed the same.")


def test_lookup_for_machines_is_the_answer_of_python(run, results):
    with dicebase.open(results) as catalog:
        answer = catalog.lookup("ten_thousand_turn", rules="pocket", turn_total=100, roll="15")
    words = ["ten_thousand_turn", "rules=pocket", "roll=51", "turn_total=100"]
    assert json.loads(run("lookup", "--json", *words)) == answer


def test_options_may_stand_anywhere(run, results):
    answer = run("lookup", "pig_turn", "turn_total=5", "sides=4", "--json")
    assert run("lookup", "--json", "pig_turn", "turn_total=5", "sides=4") == answer
    assert run("lookup", "pig_turn", "--json", "turn_total=5", "sides=4") == answer
    assert run("lookup", "pig_turn", "turn_total=5", "--json", "sides=4") == answer
    assert run("--results", "results", "lookup", "pig_turn", "turn_total=5", "--json", "sides=4") == answer
    assert run("lookup", "pig_turn", "turn_total=5", "--results", str(results), "--json", "sides=4") == answer


@pytest.mark.parametrize("words", [["tables"], ["sql", "SELECT 1"], ["lookup", "pig_turn", "turn_total=5"]])
def test_results_may_be_named_before_and_after_the_command(run, results, tmp_path, monkeypatch, words):
    expected = run(*words)
    monkeypatch.chdir(tmp_path)
    assert run("--results", str(results), *words) == expected
    assert run(*words, "--results", str(results)) == expected
    assert run(*words, f"--results={results}") == expected
    assert run("--results", "nowhere", *words, "--results", str(results)) == expected


def test_sql_prints_a_table(run):
    lines = run("sql", "SELECT turn_total, action, value, NULL AS nothing FROM pig_turn LIMIT 2").splitlines()
    assert lines[0].split() == ["turn_total", "action", "value", "nothing"] and len(lines) == 3


def test_sql_for_machines_is_an_array_of_objects(run):
    query = "SELECT sides, action, value / 2 AS half FROM pig_turn WHERE sides = 6 AND dice = 1 AND turn_total = 20"
    assert json.loads(run("sql", query, "--json")) == [{"sides": 6, "action": "hold", "half": 10.0}]
    assert json.loads(run("sql", "SELECT * FROM pig_turn WHERE sides = 5", "--json")) == []


def test_sql_for_machines_keeps_numbers_numbers_and_is_always_json(run):
    numbers = "1.5 AS a, 2::HUGEINT AS b, NULL AS c, 'nan'::DOUBLE AS d, [1.5] AS e, {'x': 'inf'::FLOAT} AS f"
    query = f"SELECT {numbers}, DATE '2001-02-03' AS g, true AS h"
    (row,) = json.loads(run("sql", "--json", query), parse_constant=pytest.fail)
    assert row == {"a": 1.5, "b": 2, "c": None, "d": None, "e": [1.5], "f": {"x": None}, "g": "2001-02-03", "h": True}


def test_sql_knows_the_macros_and_the_parameters_as_json(run):
    query = "SELECT action, parameters->>'sides' AS sides FROM pig_turn_at(5), tables WHERE name = 'pig_turn'"
    assert {"action": "roll", "sides": "4"} in json.loads(run("sql", "--json", query))


@pytest.mark.parametrize("words", [["--help"], ["lookup", "--help"], ["solve", "--help"], ["verify", "--help"]])
def test_help_is_an_answer(words, capsys):
    with pytest.raises(SystemExit) as done:
        main(words)
    assert done.value.code == 0 and "usage: dicebase" in capsys.readouterr().out


def test_the_command_is_installed_and_works_from_another_folder(results, tmp_path):
    command = [os.path.join(os.path.dirname(sys.executable), "dicebase"), "lookup", "pig_turn", "turn_total=5"]
    done = subprocess.run([*command, "--results", results], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "Best: roll" in done.stdout and done.stderr == ""


def test_a_reader_who_has_read_enough_is_no_error(results):
    code = "import sys; from dicebase.cli import main; sys.exit(main())"
    query = "SELECT * FROM range(100000)"
    command = [sys.executable, "-c", code, "--results", str(results), "sql", query]
    process = subprocess.Popen(command, env=commands.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait() == 0
