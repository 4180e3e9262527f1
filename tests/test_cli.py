"""The commands as users type them."""

import json
import os
import subprocess
import sys

import pytest

import dicebase
from dicebase.cli import main


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
