"""Edits of rules and of modules beside them are noticed, and rules that read files or import more are refused.

tests/games/subtle_rules has rules that remember earlier variants, or depend on the order of questions or on hashes."""

import sys

import pytest

import dicebase
import dicebase.games as games
from dicebase.pipeline.keys import digest
from dicebase.tables.names import known_tables
from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingTableError

BOARD = """
from dataclasses import dataclass

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter
{imports}

@dataclass(frozen=True)
class Rules(Board):
    "Roll a die to leave the track; a step costs one."

    length: int = parameter(4, "squares of the track", low=1, high=50)

    title, citation = "A track", "made up for a test"
    columns = (Column("square", int, "where the piece is"),)
    objectives = {{"steps": Objective("how long it takes", "steps", sense=-1)}}

    def start(self):
        return 0

    def actions(self, state):
        return ["roll"]

    def afterstate(self, state, action):
        return state[0]

    def outcomes(self, afterstate):
        yield from {outcomes}
"""
OUTCOMES = "[Outcome(1, (ahead,) if ahead < self.length else None, 1) for ahead in (afterstate + 1, afterstate + 2)]"


def track(imports="", outcomes=OUTCOMES):
    return BOARD.format(imports=imports, outcomes=outcomes)


@pytest.fixture
def write(monkeypatch, tmp_path):
    """Write a file into a folder of games."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(folder)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(folder)

    def write(text, name="track.py"):
        (folder / name).write_text(text, encoding="utf-8")
        known_tables.cache_clear()

    yield write
    for name in ("dicebase.games.track", "dicebase.games.tracks", "tracks"):
        sys.modules.pop(name, None)
        vars(games).pop(name.rpartition(".")[2], None)
    known_tables.cache_clear()


def test_an_edit_between_two_calls_is_noticed(write):
    write(track())
    with dicebase.solve("track_steps", length=3) as table:
        assert table.sql("SELECT value FROM tables").fetchall() == [(2.25,)]
    write(track(outcomes=OUTCOMES.replace("+ 2", "+ 3")))  # within a second, and of the same size
    with dicebase.solve("track_steps", length=3) as table:
        assert table.sql("SELECT value FROM tables").fetchall() == [(1.75,)]


@pytest.mark.parametrize("outcomes", ["open('odds.txt')", "__import__('pathlib').Path('odds.txt').read_text()"])
def test_rules_that_read_a_file_are_refused(write, tmp_path, outcomes):
    (tmp_path / "odds.txt").write_text("1")
    write(track(outcomes=outcomes))
    with pytest.raises(DicebaseError, match=r"track.py, line 2\d: open\(.*'odds.txt'\)+: rules must not read files"):
        dicebase.solve("track_steps")
    write(track(imports=f"ODDS = {outcomes}"))
    with pytest.raises(MissingTableError, match="rules must not read files"):
        dicebase.solve("track_steps")


def test_modules_beside_the_rules_are_in_the_digest(write):
    write("AHEAD = 2\n", "tracks.py")
    found = set()
    for imports in ("import tracks", "from dicebase.games import tracks", "from dicebase.games.tracks import AHEAD"):
        write(track(imports))
        found |= {digest(["dicebase.games.track"])}
        write("AHEAD = 3\n", "tracks.py")
        found |= {digest(["dicebase.games.track"])}
        write("AHEAD = 2\n", "tracks.py")
    assert len(found) == 6


@pytest.mark.parametrize("imports", ["import pyarrow", "import importlib", "from importlib import import_module"])
def test_imports_outside_the_digest_are_refused(write, imports):
    write(track(imports))
    with pytest.raises(ConfigurationError, match=r"track.py, line 5: imports (pyarrow|importlib); rules may import"):
        dicebase.solve("track_steps")
