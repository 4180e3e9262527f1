"""What README.md, config/README.md and docs/*.md show is what people get.

A ```console block is a session: lines `$ command`, each followed by what it prints. A ```python block with prompts is
a doctest. A block after `<!-- file: NAME -->` is a file, there for the commands below it on the same page.
"""

import doctest
import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import tiny
from dicebase.datapackage import write_datapackage
from dicebase.verify import slices_in

PAGES = ["README.md", "config/README.md", *sorted(f"docs/{p.name}" for p in (tiny.ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
EXPORT = re.compile(r"export (\w+)=(\S+)")


def grid() -> str:
    """The default configuration, narrowed to what the pages look up."""
    config = yaml.safe_load((tiny.ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    only = {
        "pig_turn": config["tables"]["pig_turn"],
        "ten_thousand_turn": [{"moves": "all", "rules": "crocce_mordecki", "slice_by": ["rules"]}],
        "forbidden_multiple_turn": [{"multiple": 10, "slice_by": ["sides", "dice"]}],
    }
    return yaml.safe_dump({"definitions": config["definitions"], "tables": only})


@pytest.fixture(scope="session")
def shown(tmp_path_factory):
    """Their results, solved once for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "readme"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "results/dicebase.duckdb").exists():
            tiny.build(folder / "results", grid())
            write_datapackage(folder / "results", slices_in(folder / "results"))
    return folder / "results"


@pytest.fixture
def place(shown, tmp_path, monkeypatch):
    """A folder as a reader has it, who built the default grid."""
    (tmp_path / "results").symlink_to(shown)
    (tmp_path / "config").symlink_to(tiny.ROOT / "config")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_commands_print(page, place):
    text = (tiny.ROOT / page).read_text(encoding="utf-8")
    variables = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    names: dict = {}
    for block in BLOCK.finditer(text):
        if block["file"]:
            write_file(block, place)
        elif block["kind"] == "console":
            for command, printed in session(block["text"]):
                if exported := EXPORT.fullmatch(command):
                    variables[exported[1]] = exported[2]
                    continue
                assert run(command, variables) == printed, f"{page}: $ {command}"
        elif block["kind"] == "python" and ">>>" in block["text"]:
            example = doctest.DocTestParser().get_doctest(block["text"], {}, page, page, 0)
            example.globs = names
            assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, clear_globs=False).failed == 0


def test_the_example_game_keeps_the_contract(tmp_path):
    page = (tiny.ROOT / "docs/adding_a_game.md").read_text(encoding="utf-8")
    write_files(page, tmp_path)
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", f"pythonpath={tiny.ROOT / 'tests'}"]
    done = tiny.python(
        *tests, "--rootdir", tmp_path, "test_doubles.py", cwd=tmp_path, DICEBASE_GAMES=tmp_path / "mygames"
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page):
    text = (tiny.ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert link.startswith("http") or (tiny.ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


def write_files(text: str, folder: Path) -> None:
    """The files of a page."""
    for block in BLOCK.finditer(text):
        if block["file"]:
            write_file(block, folder)


def write_file(block: re.Match, folder: Path) -> None:
    """The file that a block shows."""
    path = folder / block["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block["text"], encoding="utf-8")


def session(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints. A backslash at the end continues a command."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block, flags=re.M)
    assert not parts[0], f"a console block begins with a command: {parts[0]!r}"
    return [(command, printed.strip("\n")) for command, printed in zip(parts[1::2], parts[2::2], strict=True)]


def run(command: str, variables: dict[str, str]) -> str:
    """What the shell prints, errors included, without empty lines at both ends."""
    done = subprocess.run(
        ["bash", "-c", command], env=tiny.environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.stdout.decode().strip("\n")
