"""A results folder may have any name that the system allows; no name is taken for a pattern or a service."""

import json
import shutil

import pytest

from dicebase.cli import main
from support.commands import error_of

# Patterns that match `r1` or `ra`, names that look like services, options, files or a home, and other signs.
NAMES = [
    "r[1]",
    "r*",
    "[!r] {table}",
    "r{a,b}",
    ":memory:",
    "s3:r",
    "-r",
    "~",
    ' it\'s "so"; h#a=c&d %20 ü $HOME.parquet ',
]


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """A folder with several results, which a pattern would match."""
    folder = tmp_path_factory.mktemp("paths")
    for name, sides in (("r1", 2), ("ra", 4), ("rr", 4)):
        assert main(["solve", "pig_turn", f"sides={sides}", "--results", str(folder / name)]) == 0
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_results_folder_may_have_any_name(beside, monkeypatch, capsys, name):
    monkeypatch.chdir(beside)
    shutil.copytree(beside / "r1", beside / name)
    results = f"--results={name}"
    assert main(["solve", "pig_turn", "sides=6", results]) == 0
    capsys.readouterr()
    query = "SELECT DISTINCT sides, (SELECT count(*) FROM tables) AS n FROM pig_turn ORDER BY sides"
    assert main(["sql", query, "--json", results]) == 0
    assert json.loads(capsys.readouterr().out) == [{"sides": 2, "n": 2}, {"sides": 6, "n": 2}]
    assert main(["lookup", "pig_turn", "turn_total=20", results]) == 0
    assert "A tie" in capsys.readouterr().out
    assert main([results, "verify"]) == 0
    held = ["dicebase.duckdb: holds", "mapped: holds", "explorer: holds"]
    assert capsys.readouterr().out.splitlines()[-3:] == held
    assert (beside / name / "dicebase.duckdb").is_file()


@pytest.mark.parametrize("name", ["r?", "a\\b"])
def test_a_folder_that_duckdb_cannot_use_is_refused_before_solving(beside, monkeypatch, capsys, name):
    monkeypatch.chdir(beside)
    assert "DuckDB cannot create a file in a folder whose name has" in error_of(
        capsys, "solve", "pig_turn", f"--results={name}"
    )
    assert not (beside / name).exists()
    config = beside / "config.yaml"
    config.write_text(json.dumps({"results": name, "tables": {"pig_turn": [{"sides": 6}]}}))
    assert "give the folder of the results" in error_of(capsys, "estimate", "--config", config)
