"""No wrong table is certified if rules remember earlier variants, depend on the order of questions or on hashes, or
read files."""

import sys
from fractions import Fraction

import pytest

import dicebase
import dicebase.games as games
from dicebase.cli import main
from dicebase.pipeline.keys import digest
from dicebase.tables.names import known_tables
from dicebase.vocabulary import ConfigurationError, DicebaseError, MissingTableError

BOARD = """
from dataclasses import dataclass
from functools import cache

from dicebase.vocabulary import Board, Column, Objective, Outcome, parameter
{imports}

{helper}

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
        return {actions}

    def afterstate(self, state, action):
        return state[0]

    def outcomes(self, afterstate):
        yield from {outcomes}
"""
OUTCOMES = "[Outcome(1, (ahead,) if ahead < self.length else None, 1) for ahead in (afterstate + 1, afterstate + 2)]"


def track(imports="", helper="", actions='["roll"]', outcomes=OUTCOMES):
    return BOARD.format(imports=imports, helper=helper, actions=actions, outcomes=outcomes)


def steps_of(length):
    """The expected number of steps of one or two squares, each as likely, from the start of a track."""
    left = [Fraction(0), Fraction(0)]
    for _ in range(length):
        left.append(1 + (left[-1] + left[-2]) / 2)
    return left[-1]


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


# The cache forgets the length: its only key is the square.
FORGETFUL = """
from functools import cache
from types import SimpleNamespace

from dicebase.vocabulary import Outcome

now = SimpleNamespace(length=None)


@cache
def ways(square):
    return [(ahead,) if ahead < now.length else None for ahead in (square + 1, square + 2)]


def outcomes(length, square):
    now.length = length
    return [Outcome(1, state, 1) for state in ways(square)]
"""


@pytest.mark.parametrize(
    ("helper", "imports"),
    [
        (FORGETFUL, ""),
        ("", "from dicebase.games.tracks import outcomes"),
        ("", "from tracks import outcomes"),
        ("", "from dicebase.games import tracks\noutcomes = tracks.outcomes"),
    ],
)
def test_rules_that_remember_another_variant_give_the_right_value(write, helper, imports):
    write(FORGETFUL, "tracks.py")
    write(track(imports, helper, outcomes="outcomes(self.length, afterstate)"))
    for length in (4, 8, 12):
        with dicebase.solve("track_steps", length=length) as table:
            (row,) = table.sql("SELECT value, exact FROM tables").fetchall()
            assert Fraction(row[1]) == steps_of(length)


def test_variants_of_one_folder_do_not_share_memory(write, tmp_path):
    write(track("", FORGETFUL, outcomes="outcomes(self.length, afterstate)"))
    for length in (12, 4, 8):
        assert main(["solve", "track_steps", f"length={length}", "-o", "r"]) == 0
    assert main(["verify", "r"]) == 0
    with dicebase.open("r") as db:
        found = dict(db.sql("SELECT parameters->>'length', exact FROM tables").fetchall())
        assert {int(n): Fraction(x) for n, x in found.items()} == {n: steps_of(n) for n in (4, 8, 12)}


def test_an_edit_between_two_calls_is_noticed(write):
    write(track())
    with dicebase.solve("track_steps", length=3) as table:
        assert table.sql("SELECT value FROM tables").fetchall() == [(float(steps_of(3)),)]
    write(track(outcomes=OUTCOMES.replace("+ 2", "+ 3")))  # within a second, and of the same size
    with dicebase.solve("track_steps", length=3) as table:
        assert table.sql("SELECT value FROM tables").fetchall() == [(1.75,)]


def test_answers_that_depend_on_the_order_of_questions_are_refused(write):
    # In each group of eight squares, the first one asked for decides how far all of them jump. Squares up to 1000
    # always jump 2, because the check before solving asks for them twice and would notice.
    helper = """
JUMPS = {}

def jump(square):
    ahead = square + (JUMPS.setdefault(square // 8, 1 + square % 3) if square > 1000 else 2)
    return [Outcome(1, (next,) if next < 2000 else None, 1) for next in (square + 1, ahead)]
"""
    write(track("", helper, outcomes="jump(afterstate)"))
    with pytest.raises(DicebaseError, match=r"the table has this state|the best action is|on a second call the rules"):
        dicebase.solve("track_steps")


def test_actions_in_the_order_of_hashes_are_refused(write):
    write(track(actions="[*{f'roll {n}' for n in range(20)}]"))
    with pytest.raises(DicebaseError, match="when asked again, the rules give another answer"):
        dicebase.solve("track_steps")


@pytest.mark.parametrize("outcomes", ["open('odds.txt')", "__import__('pathlib').Path('odds.txt').read_text()"])
def test_rules_that_read_a_file_are_refused(write, tmp_path, outcomes):
    (tmp_path / "odds.txt").write_text("1")
    write(track(outcomes=outcomes))
    with pytest.raises(DicebaseError, match=r"track.py, line 3\d: open\(.*'odds.txt'\)+: rules must not read files"):
        dicebase.solve("track_steps")
    write(track(imports=f"ODDS = {outcomes}"))
    with pytest.raises(MissingTableError, match="rules must not read files"):
        dicebase.solve("track_steps")


def test_modules_beside_the_rules_are_in_the_digest(write):
    write(FORGETFUL, "tracks.py")
    found = set()
    for imports in ("import tracks", "from dicebase.games import tracks", "from dicebase.games.tracks import outcomes"):
        write(track(imports))
        found |= {digest(["dicebase.games.track"])}
        write(FORGETFUL.replace("square + 2", "square + 3"), "tracks.py")
        found |= {digest(["dicebase.games.track"])}
        write(FORGETFUL, "tracks.py")
    assert len(found) == 6


@pytest.mark.parametrize("imports", ["import pyarrow", "import importlib", "from importlib import import_module"])
def test_imports_outside_the_digest_are_refused(write, imports):
    write(track(imports))
    with pytest.raises(ConfigurationError, match=r"track.py, line 6: imports (pyarrow|importlib); rules may import"):
        dicebase.solve("track_steps")
