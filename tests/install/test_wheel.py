"""The wheel in environments without extras: NumPy and DuckDB are enough to answer, and other commands name their extra.

The oldest Python gets the oldest versions that pyproject.toml allows."""

import shlex
import tomllib
import zipfile

import pytest
from install.conftest import PYTHONS, UV, done, run

from dicebase.cli import main
from support import commands

PAGE = (commands.ROOT / "docs/use/install.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((commands.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = [needed.replace(">=", "==") for needed in PROJECT["dependencies"]]
ANSWERED = [
    "tables",
    "tables pig_turn --json",
    "describe ten_thousand_turn",
    "lookup ten_thousand_turn rules=pocket turn_total=0 roll=115 --why",
    "lookup pig_turn turn_total=20 --json",
    "sql 'FROM pig_turn WHERE sides = 6'",
    "sql 'FROM pig_turn_at(20)'",
    "export pig_turn sides=6 --json",
]
NEEDING = {
    "lookup pig_turn --from a.csv --to b.csv": "arrow",
    "export pig_turn --xlsx -o pig.xlsx": "excel",
    "serve": "serve",
    "solve pig_turn": "build",
    "verify": "build",
    "verify --plan": "build",
    "evaluate pig_duel --policy optimal": "build",
    "estimate": "build",
    "fetch dist --verify": "build",
}


def test_the_wheel_has_every_file_of_the_package(wheel):
    folder = commands.ROOT / "workflow"
    files = {p.relative_to(folder).as_posix() for p in (folder / "dicebase").rglob("*") if p.is_file()}
    assert {name for name in files if "__pycache__" not in name} < set(zipfile.ZipFile(wheel).namelist())


@pytest.fixture(scope="module", params=range(len(PYTHONS) or 1))
def installed(request, wheel, install):
    """The command in an environment with the wheel and its dependencies only."""
    versions = [] if request.param else OLDEST
    return install(f"bare_{request.param}", PYTHONS[request.param], wheel, *versions) / "dicebase"


def test_the_wheel_needs_numpy_and_duckdb_only(installed, tmp_path):
    there = done(UV, "pip", "list", "--python", installed.parent / "python", "--format", "freeze", cwd=tmp_path)
    assert {line.partition("==")[0].partition(" ")[0] for line in there.splitlines()} == {"dicebase", "duckdb", "numpy"}


@pytest.mark.parametrize("command", ANSWERED)
def test_the_wheel_answers_as_this_environment(command, installed, results, tmp_path, capsys):
    words = [*shlex.split(command), "--results", str(results)]
    assert main(words) == 0
    assert done(installed, *words, cwd=tmp_path) == capsys.readouterr().out


@pytest.mark.parametrize("command", NEEDING)
def test_a_missing_extra_is_named(command, installed, results, tmp_path):
    ended = run(installed, *command.split(), "--results", results, cwd=tmp_path)
    assert ended.returncode == 2 and not ended.stdout
    name = command.split()[0]
    assert ended.stderr.startswith(f"error: {name}: ") and ended.stderr.count("\n") == 1
    assert ended.stderr.endswith(f" is not installed; pip install 'dicebase[{NEEDING[command]}]'\n")
    assert command != "verify" or ended.stderr in PAGE
