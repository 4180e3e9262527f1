"""The commands as users type them, and the text of an answer."""

import json
import os
import subprocess
import sys

import pytest

import dicebase
from dicebase.catalog.ask.answer import Action, Answer
from dicebase.cli import main
from dicebase.show.text import lookup_text


@pytest.fixture
def run(results, capsys, monkeypatch):
    """Run a command beside the results and return its output."""
    monkeypatch.chdir(results.parent)

    def run(*words):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def test_tables_lists_tables_and_the_variants_of_one_table(run):
    header, *lines, _ = (line.split() for line in run("tables").splitlines())
    assert header == ["table", "variants", "states", "unit", "error", "bound"]
    assert [line[:2] for line in lines[:3]] == [
        ["forbidden_multiple_turn", "3"],
        ["pig_turn", "6"],
        ["ten_thousand_turn", "2"],
    ]
    header, *variants = run("tables", "pig_turn").splitlines()
    assert header.split() == ["table", "parameters", "states", "value", "unit", "error", "bound"] and len(variants) == 6
    (pig,) = (line for line in variants if "sides=6 dice=1" in line)
    assert "8.141795" in pig and "points" in pig


def test_lookup_ranks_the_actions_and_gives_advice(run):
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
    assert "A tie: hold and roll are equally good." in run("lookup", "pig_turn", "turn_total=20")
    assert "The only choice: roll." in run("lookup", "forbidden_multiple_turn", "total=0")


LOOKUP = ["lookup", "pig_turn", "turn_total=5", "sides=4"]


@pytest.mark.parametrize("words", [["tables"], ["sql", "SELECT 1 AS a"], LOOKUP])
def test_options_may_stand_anywhere(run, results, tmp_path, monkeypatch, words):
    expected = run(*words, "--json")
    for place in range(1, len(words)):
        assert run(*words[:place], "--json", *words[place:]) == expected
    monkeypatch.chdir(tmp_path)
    for before, after in (["--results", results], []), ([], ["--results", results]), ([], [f"--results={results}"]):
        assert run(*map(str, before), *words, "--json", *map(str, after)) == expected
    assert run("--results", "nowhere", *words, "--json", "--results", str(results)) == expected


def test_sql_json_keeps_numbers_and_is_valid_json(run):
    numbers = "1.5 AS a, 2::HUGEINT AS b, NULL AS c, 'nan'::DOUBLE AS d, [1.5] AS e, {'x': 'inf'::FLOAT} AS f"
    query = f"SELECT {numbers}, DATE '2001-02-03' AS g, true AS h"
    (row,) = json.loads(run("sql", "--json", query), parse_constant=pytest.fail)
    assert row == {"a": 1.5, "b": 2, "c": None, "d": None, "e": [1.5], "f": {"x": None}, "g": "2001-02-03", "h": True}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *(([*command, "--help"], "usage: dicebase") for command in ([], ["lookup"], ["solve"], ["verify"])),
        (["--version"], f"dicebase {dicebase.__version__}\n"),
    ],
)
def test_help_and_version_succeed(words, said, capsys):
    with pytest.raises(SystemExit) as done:
        main(words)
    assert done.value.code == 0 and said in capsys.readouterr().out


def test_the_command_is_installed_and_works_from_another_folder(results, tmp_path):
    command = [os.path.join(os.path.dirname(sys.executable), "dicebase"), "lookup", "pig_turn", "turn_total=5"]
    done = subprocess.run([*command, "--results", results], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "Best: roll" in done.stdout and done.stderr == ""


FIVE, ONE = ("5", 0.5, 0.0, 0.7500, True), ("1", 0.5, 0.0, 0.2496, True)
THREE, TWO = ("3", 0.5, 0.0, 0.0004, True), ("2", 0.25, 0.25, 0.0, False)
SMALL = [("a", 5.0, 0.0, 1.0, True), ("b", 5.0, 1e-9, 0.0, False)]
SAME = [("1", 0.5, 0.0, 1.0, True), ("2", 0.5, 0.0, 0.0, False)]  # equally good only against this opponent, so no tie
LAST_LINES = [
    (SMALL, "", "Best: a, 1.00e-09 points better than b."),
    (
        [FIVE, ONE, THREE, TWO],
        "dice",
        "Mix: 5 dice 75.0 %, 1 die 25.0 %, 3 dice 0.04 %; 2 dice would lose 0.250000 points.",
    ),
    ([FIVE, ONE], "", "Mix: 5 75.0 %, 1 25.0 %."),
    (SAME, "dice", "Best: 1 die; 2 dice would be as good, if the opponent's choice stayed the same."),
]


@pytest.mark.parametrize(("actions", "unit", "said"), LAST_LINES)
def test_the_last_line_is_advice(actions, unit, said):
    ranked = tuple(Action(*action, undecided=False) for action in actions)
    answer = Answer("t", {}, {}, "points", ranked[0].value, ranked, action_unit=unit)
    text = lookup_text(answer.as_dict())
    assert text.splitlines()[-1] == said
    assert ("probability" in text) == said.startswith("Mix") == ("0.7500" in text)
