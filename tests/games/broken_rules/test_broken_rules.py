"""A folder of rules files, each of which breaks one rule that binds its author: none is solved, none is certified.

The docstring of a file says which rule, and what the one line says that refuses it. Of each kind there is a lawful
file, whose solved tables are what `verify` is given, with the broken rules in its place.
"""

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest

from dicebase import games
from dicebase.certify.certificate import FIELDS
from dicebase.cli import main
from dicebase.tables.names import find_table, known_tables
from dicebase.tables.parquet import action_fields
from dicebase.vocabulary import ConfigurationError, check_rules
from dicebase.vocabulary.lawful import RESERVED
from support import grids
from support.commands import error_of

HERE = Path(__file__).parent
FILES = sorted((HERE / "files").glob("*.py"))
GAME = "made_up"


def kind(file):
    """Of which lawful file it is a broken one."""
    name = file.stem.split("_")[0]
    return name if name in ("throw", "card") else "turn"


def table(file):
    return f"{GAME}_{'score' if kind(file) == 'card' else 'turn'}"


@pytest.fixture
def play(monkeypatch, tmp_path):
    """Make a file the rules of the game."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "games")])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()

    def play(file):
        shutil.copy(file, tmp_path / f"games/{GAME}.py")
        # Python takes a file of the same size and second for the same one.
        shutil.rmtree(tmp_path / "games/__pycache__", ignore_errors=True)
        sys.modules.pop(f"dicebase.games.{GAME}", None)
        known_tables.cache_clear()

    yield play
    sys.modules.pop(f"dicebase.games.{GAME}", None)
    known_tables.cache_clear()


@pytest.fixture
def lawful(play, tmp_path, tmp_path_factory):
    """The solved table of the lawful file of a kind."""

    def lawful(file):
        play(HERE / "lawful" / f"{kind(file)}.py")

        def make(folder):
            assert main(["solve", table(file), "-o", str(folder)]) == 0

        return grids.once(tmp_path_factory, f"lawful_{kind(file)}", make)

    return lawful


def test_each_file_says_which_rule_it_breaks():
    assert len(FILES) > 150
    for file in FILES:
        law, _, refused = ast.get_docstring(ast.parse(file.read_text())).partition("\n\nRefused: ")
        assert law and refused


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_broken_rules_are_refused_in_one_line_by_the_solver_and_by_the_certifier(file, lawful, play, capsys, tmp_path):
    refused = re.search(r"^Refused: (.*)$", file.read_text(), re.MULTILINE)[1]
    results = lawful(file)
    play(file)
    capsys.readouterr()
    assert refused in error_of(capsys, "solve", table(file), "-o", tmp_path / "out")
    assert not list(tmp_path.rglob("out/**/*.parquet"))
    play(file)
    assert main(["verify", str(results)]) == 1
    err = capsys.readouterr().err
    (line,) = [line for line in err.splitlines() if line.startswith(f"{table(file)}/")]
    assert refused in line and "Traceback" not in err


def test_what_rules_remember_of_one_variant_does_not_pass_for_another(play):
    play(HERE / "memory/remembers_another_variant.py")
    rules = find_table(f"{GAME}_turn").rules_class
    check_rules(rules(4))
    with pytest.raises(ConfigurationError, match="asked again the rules say something else"):
        check_rules(rules(6))


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
    results = lawful(Path(f"{name}_lawful.py"))
    assert main(["verify", str(results)]) == 0
