"""Rules that end the process, or that the user interrupts: no command reports success, and Ctrl-C interrupts."""

import pytest

from dicebase.cli import main
from support import commands

from .test_broken_boards import ACTIONS, LAWFUL
from .test_broken_rules import GAME, play  # noqa: F401, the fixture

TABLE = f"{GAME}_turns"
EXIT = f"import os; os._exit(0); {ACTIONS}"
TOP = "from dataclasses import dataclass\n"
SAID = "SystemExit: rules call os._exit(0) (made_up.py, line"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "config.yaml").write_text(f"tables: {{{TABLE}: [{{}}]}}")
    return tmp_path


def test_a_command_whose_rules_end_the_process_fails(folder):
    (folder / f"games/{GAME}.py").write_text(LAWFUL.replace(ACTIONS, EXIT))
    done = commands.dicebase("solve", TABLE, cwd=folder, DICEBASE_GAMES=folder / "games")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"error: {TABLE} fields=4: actions(('o...', 0)) fails: {SAID} 24)\n"
    assert not list(folder.rglob("*.parquet"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (TOP, f"{TOP}from os import _exit\n\n_exit(0)\n", f"{TABLE}: made_up.py cannot be read: {SAID} 6)"),
        (ACTIONS, EXIT, f"fails: {SAID} 24)"),
    ],
)
def test_a_workflow_whose_rules_end_the_process_fails(folder, old, new, said):
    (folder / f"games/{GAME}.py").write_text(LAWFUL.replace(old, new))
    words = "--logger", "dicebase", "--configfile", folder / "config.yaml"
    done = commands.snakemake(folder, *words, DICEBASE_GAMES=folder / "games")
    assert done.returncode == 1 and said in done.stdout, done.stdout
    assert not list(folder.rglob("*.parquet"))


@pytest.mark.parametrize("old", [ACTIONS, "at, action = afterstate", "return 0"])
def test_a_user_may_interrupt_rules(play, tmp_path, capsys, old):  # noqa: F811
    (file := tmp_path / "board.py").write_text(LAWFUL.replace(old, f"raise KeyboardInterrupt; {old}"))
    play(file)
    assert main(["solve", TABLE, "-o", str(tmp_path / "out")]) == 130
    assert capsys.readouterr() == ("", "error: interrupted\n")
