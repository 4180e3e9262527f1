"""Rules that break one law each: solver and certifier refuse them.

Each kind of game has a lawful file. `verify` gets the tables solved from it while broken rules stand in its
place. `broken/KIND.txt` lists the changes: after `== name` the law that is broken, the message that refuses it, and the
lines of the lawful file (-) with their replacements (+), in parts separated by `@@`.
"""

import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from dicebase.certify.certificate import FIELDS
from dicebase.cli import main
from dicebase.tables.names import find_table, known_tables
from dicebase.tables.parquet import action_fields
from dicebase.vocabulary.contracts.conditions import RESERVED
from support import grids
from support.commands import error_of
from support.own_games import known

HERE = Path(__file__).parent
GAME = "made_up"


class Broken(NamedTuple):
    kind: str  # the lawful file
    name: str
    refused: str
    rules: str


def broken(path):
    """Read the broken rules of a file."""
    for said in re.split(r"^== ", path.read_text(), flags=re.MULTILINE)[1:]:
        said = re.fullmatch(r"(\w+)\n([^-+ ].*?)\nRefused: (.+?)\n(.*)", said, re.DOTALL)
        name, law, refused, changes = said.groups()
        rules = (HERE / f"lawful/{path.stem}.py").read_text()
        for change in changes.split("@@\n"):
            old, new = (re.sub(f"^[{drop}].*\n", "", change, flags=re.MULTILINE) for drop in "+-")
            old, new = (re.sub("^.", "", text, flags=re.MULTILINE) for text in (old, new))
            assert law and rules.count(old) == 1, (name, old)
            rules = rules.replace(old, new)
        yield Broken(path.stem, name, refused, rules)


BROKEN = [case for path in sorted((HERE / "broken").glob("*.txt")) for case in broken(path)]
FIRST = {(case.kind, case.refused): case for case in reversed(BROKEN)}.values()
"""The first case of each kind with each message."""


def table(kind):
    return f"{GAME}_{'score' if kind == 'card' else 'turn'}"


@pytest.fixture
def play(monkeypatch, tmp_path):
    """A function that makes a file the rules of the game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()

    def play(file):
        shutil.copy(file, tmp_path / f"games/{GAME}.py")
        # Python would reuse the compiled code of another file with the same size and the same second of writing.
        shutil.rmtree(tmp_path / "games/__pycache__", ignore_errors=True)
        sys.modules.pop(f"dicebase.games.{GAME}", None)
        known_tables.cache_clear()

    with known(tmp_path / "games"):
        yield play
    sys.modules.pop(f"dicebase.games.{GAME}", None)


@pytest.fixture
def lawful(play, tmp_path, tmp_path_factory):
    """A function that returns the solved table of the lawful file of a kind."""

    def lawful(kind):
        play(HERE / "lawful" / f"{kind}.py")

        def make(folder):
            assert main(["solve", table(kind), "-o", str(folder)]) == 0

        return grids.once(tmp_path_factory, f"lawful_{kind}", make)

    return lawful


def test_many_rules_are_broken():
    assert len({case.name for case in BROKEN}) == len(BROKEN) > 190 and len(FIRST) > 80


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=[pytest.mark.slow] * (case not in FIRST)) for case in BROKEN]
)
def test_broken_rules_are_refused_in_one_line_by_the_solver_and_by_the_certifier(case, lawful, play, capsys, tmp_path):
    results = lawful(case.kind)
    (file := tmp_path / "broken.py").write_text(case.rules)
    play(file)
    capsys.readouterr()
    assert case.refused in error_of(capsys, "solve", table(case.kind), "-o", tmp_path / "out")
    assert not list(tmp_path.rglob("out/**/*.parquet"))
    play(file)
    assert main(["verify", str(results)]) == 1
    err = capsys.readouterr().err
    (line,) = [line for line in err.splitlines() if line.startswith(f"{table(case.kind)}/")]
    assert case.refused in line and "Traceback" not in err


def test_a_game_in_two_folders_is_refused(play, capsys, tmp_path):
    play(HERE / "lawful/turn.py")
    (tmp_path / f"games/{GAME}.py").rename(tmp_path / "games/pig.py")
    assert "pig.py: is in several folders" in error_of(capsys, "solve", "pig_turn", "-o", tmp_path / "out")


def test_columns_of_files_are_no_names_of_parameters():
    listing = find_table("pig_duel").match_class
    names = {f.name for f in [*FIELDS, *action_fields(listing)]} | {"value", "margin", *(c.name for c in listing.more)}
    assert names <= RESERVED


@pytest.mark.parametrize("name", ["turn", "throw", "card"])
def test_a_lawful_file_is_solved_and_verified(name, lawful, capsys):
    results = lawful(name)
    assert main(["verify", str(results)]) == 0
