"""The check of the prose counts in pages, docstrings and comments, and nowhere else."""

import importlib.util
import subprocess

import pytest

from support.commands import ROOT

SPEC = importlib.util.spec_from_file_location("prose", ROOT / "benchmarks/tools/prose.py")
prose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(prose)

CLIPPED = "All but for one: in the mean what is paid."


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        (
            CLIPPED,
            ["'but for' instead of 'except'", "'in the mean' instead of 'on average'", "'paid' instead of 'earned'"],
        ),
        ("Who rolls first wins.", ["a person as a free 'who'"]),
        ("It is no table. Where it is none", ["'is no' instead of 'is not a'", "'where' instead of 'if'"]),
        ("so many turns; so many that it ends", ["'so many' without 'that'"]),
        ("The player who rolls a 1 knows what the dice show, where they lie.", []),
    ],
)
def test_the_kinds_of_a_line(line, kinds):
    assert sorted((+prose.found_in(line)).elements()) == sorted(kinds)


def test_only_prose_is_counted():
    python = '"""Title."""\nx = "but for"  # a comment\ndef f():\n    """Text.\n\n    More."""\n'
    assert sorted(filter(None, prose.prose("a.py", python))) == ["More.", "Text.", "Title.", "a comment"]
    assert [*prose.prose("a.md", "One\n```text\nbut for\n```\ntwo")] == ["One", "", "two"]
    assert [*prose.prose("a.yaml", "a: 1 # why\n")] == ["why"]


@pytest.mark.parametrize(("share", "code"), [(3, 1), (2, 0)])
def test_the_limit_of_turns_of_phrase(tmp_path, monkeypatch, capsys, share, code):
    """Of 1000 words, each "but for" is one turn of phrase and two words."""
    (tmp_path / "page.md").write_text("but for " * share + "word " * (1000 - 2 * share))
    for command in (["init", "-q"], ["add", "page.md"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert prose.main([]) == code
    assert capsys.readouterr().out.splitlines()[-1] == f"{share:.2f} of 2.5 per thousand of 1000 words"
