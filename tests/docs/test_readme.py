"""README.md, config/README.md and docs/*/*.md show the output of their commands.

A ```console block is a session: lines `$ command`, each followed by its output. A ```python block with prompts is a
doctest. A block after `<!-- file: NAME -->` is a file for the commands below it on the same page. A ```yaml block is a
configuration, or a part of the default one. A ```sh block of one command of DuckDB or Snakemake is run. A ```sql block
before a ```text block is a query over the default grid, with its result.
"""

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryFile

import duckdb
import pytest
import yaml

from dicebase.cli import main
from dicebase.pipeline.plan import make_plan
from dicebase.show.text import rows_text
from support import commands
from support.pages import BLOCK, blocks, session
from support.shared_slices import shared

PAGES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "config/README.md",
    *sorted(str(p.relative_to(commands.ROOT)) for p in commands.ROOT.glob("docs/*/*.md")),
]
CLIENT = shutil.which("duckdb", path=Path(sys.executable).parent) or shutil.which("duckdb")
GAME = "docs/games/adding_a_game.md"
# Blocks that no test runs, by page and first line.
NOT_RUN = {
    ("README.md", "make"): "builds the whole default grid",
    (GAME, "snakemake --cores all --configfile try/doubles.yaml --config results=try/doubles_results"): (
        "the contract of the same game is"
    ),
    ("docs/scale/layers.md", "snakemake --cores all --configfile config/ur.yaml"): "takes minutes",
    ("docs/games/yahtzee.md", "snakemake --cores all --configfile config/yahtzee.yaml"): "takes minutes",
    ("docs/games/cards.md", "SELECT sum(a.regret * s.deals) / 2598960 AS cost, sum(s.deals) AS deals"): "takes minutes",
    ("docs/use/explorer.md", "dicebase serve"): "does not end",
    ("docs/use/model.md", """storm --exact --buildfull --explicit-drn try/box.drn --prop 'Rmax=? [F "end"]'"""): (
        "needs Storm"
    ),
    ("docs/use/explorer.md", "cd workflow/explorer"): "needs npm; test_explorer.py does the same where it is",
}
QUERY = re.compile(r"^```sql\n(.*?)^```\n\n```text\n(.*?\n)```$", re.M | re.S)
EXPORT = re.compile(r"export (\w+)=(\S+)")


@pytest.fixture
def place(default_results, tmp_path, monkeypatch):
    """The folder of a reader after building the default grid."""
    (tmp_path / "results").symlink_to(default_results)
    (tmp_path / "config").symlink_to(commands.ROOT / "config")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_output_of_its_commands(page, place):
    text = (commands.ROOT / page).read_text(encoding="utf-8")
    folders = [str(commands.ROOT / "tests/support/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    variables = {"PATH": os.pathsep.join(folders)}
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
    with duckdb.connect(str(place / "results/dicebase.duckdb"), read_only=True) as connection:
        for query, shown in QUERY.findall(text):
            cursor = connection.execute(query)
            assert "".join(rows_text([d[0] for d in cursor.description], [cursor.fetchall()])) == shown, query
    assert {path.name for path in place.iterdir()} <= {"results", "config", "try"}, f"{page}: examples write into try"


def runs_here(page: str, block: re.Match) -> bool:
    text, kind = block["text"], block["kind"]
    return bool(
        block["file"]
        or kind in ("console", "yaml")
        or (kind == "python" and ">>>" in text)
        or (kind == "sh" and text.startswith("duckdb "))
        or (page, kind) == ("config/README.md", "sh")
    )


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_is_run(page):
    """A block is run here or by another test module that reads the page."""
    readers = [path for path in Path(__file__).parents[1].rglob("test_*.py") if path.name != Path(__file__).name]
    if page.startswith("docs/") and any(page in path.read_text(encoding="utf-8") for path in readers):
        return
    found = BLOCK.finditer(QUERY.sub("", (commands.ROOT / page).read_text(encoding="utf-8")))
    left = {(page, block["text"].partition("\n")[0]) for block in found if not runs_here(page, block)}
    assert left == {place for place in NOT_RUN if place[0] == page}


@pytest.mark.parametrize("page", PAGES)
def test_a_configuration_on_a_page_is_valid(page):
    default = yaml.safe_load((commands.ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    for text in blocks(page, "yaml"):
        shown = yaml.safe_load(text)
        if "tables" in shown:
            assert make_plan(shown).slices
        else:
            assert within(shown, default), f"{page} shows what the default configuration does not say"


def within(part: object, whole: object) -> bool:
    """Whether a nested mapping is a part of another."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and within(value, whole[name]) for name, value in part.items())
    return part == whole


@pytest.mark.skipif(not CLIENT, reason="the client duckdb is not installed (package duckdb-cli)")
@pytest.mark.parametrize("page", [page for page in PAGES if any(b.startswith("duckdb ") for b in blocks(page, "sh"))])
def test_the_commands_of_duckdb_on_a_page_work(page, place):
    variables = {"PATH": f"{Path(CLIENT).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in blocks(page, "sh"):
        if command.startswith("duckdb "):
            assert "roll" in run(command.strip(), variables)


@pytest.mark.usefixtures("default_results")
def test_the_commands_on_the_page_of_the_configuration_work(tmp_path, monkeypatch, capsys):
    (tmp_path / "config").symlink_to(commands.ROOT / "config")
    (tmp_path / "mine.yaml").write_text(blocks("config/README.md", "yaml")[0], encoding="utf-8")
    estimates, atlas, whole = blocks("config/README.md", "sh")
    monkeypatch.chdir(commands.ROOT)
    assert [main(shlex.split(line, comments=True)[1:]) for line in estimates.splitlines()] == [0, 0]
    assert all(re.match(r"\d+ jobs: (about|at least) ", line) for line in capsys.readouterr().out.splitlines())
    build = shlex.split(atlas)
    given = [commands.ROOT / word if "/" in word else word for word in build[1:]]
    assert build[0] == "snakemake" and commands.jobs(commands.snakemake(tmp_path, "--dry-run", *given))["solve"]
    *planned, both, verify = (shlex.split(line, comments=True) for line in whole.splitlines())
    assert {word for words in planned for word in words} <= {*both, "--config"}
    given = [tmp_path / word if word == "mine.yaml" else word for word in both[1:]]
    assert both[0] == "snakemake" and commands.jobs(commands.snakemake(tmp_path, "--dry-run", *given))["solve"]
    assert verify == ["dicebase", "verify", "elsewhere", "--plan", "--config", "mine.yaml"]


def test_the_example_game_keeps_the_contract(tmp_path):
    page = (commands.ROOT / GAME).read_text(encoding="utf-8")
    for block in BLOCK.finditer(page):
        if block["file"]:
            write_file(block, tmp_path)
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", f"pythonpath={commands.ROOT / 'tests'}"]
    done = commands.python(
        *tests, "--rootdir", tmp_path, "try/test_doubles.py", cwd=tmp_path, DICEBASE_GAMES=tmp_path / "try/games"
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_exist(page):
    text = (commands.ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert link.startswith("http") or (commands.ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


def write_file(block: re.Match, folder: Path) -> None:
    """Write the file that a block shows."""
    path = folder / block["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block["text"], encoding="utf-8")


LOOP = re.compile(r"for (\w+) in (.*?); do +(.*); done")


def words_of(command: str) -> list[list[str]] | None:
    """The words of each command of a block; None if it uses more of the shell than a loop and redirected errors."""
    command = command.replace("\\\n", "")
    looped = LOOP.fullmatch(command)
    each = [looped[3].replace(f"${looped[1]}", word) for word in shlex.split(looped[2])] if looped else [command]
    found = [_words(without_errors(one)) for one in each]
    shell = any(word[0] != "dicebase" or "$" in one for word, one in zip(found, each, strict=True))
    return None if shell or any(set(word) <= set("();<>|&") for words in found for word in words) else found


def without_errors(command: str) -> str:
    """A command without the redirection of its errors, also at the end of a loop."""
    return re.sub(r" 2>>? *(\S+\.log|/dev/null)(?=$|; done$)", "", command)


def _words(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    return list(lexer)


PIPE = re.compile(r"(?:((?:echo|sed) [^|]*) \| )?(dicebase .*?)(?: \| ((?:head|tail|sed) [^|]*))?", re.S)


def run(command: str, variables: dict[str, str]) -> str:
    """The output of a command and its errors, without empty lines at both ends. Commands of dicebase run in this
    process, also inside pipes."""
    before, own, after = PIPE.fullmatch(command).groups() if PIPE.fullmatch(command) else (None, command, None)
    commands_here = None if variables.keys() > {"PATH"} else words_of(own)
    if commands_here:
        shown, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True), io.StringIO()
        silent = own != without_errors(own)
        said = redirect_stderr(errors if silent or after else shown)
        with standard_input(shell(before, variables) if before else b""), redirect_stdout(shown), said, shared():
            for words in commands_here:
                with suppress(SystemExit):
                    main(words[1:])
        printed = shown.buffer.getvalue()
        printed = shell(after, variables, printed) if after else printed
        return ("" if silent else errors.getvalue()) + printed.decode().strip("\n")
    return shell(command, variables).decode().strip("\n")


def shell(command: str, variables: dict[str, str], given: bytes = b"") -> bytes:
    environment = commands.environment(**variables)
    streams = {"input": given, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(["bash", "-c", command], env=environment, **streams).stdout


@contextmanager
def standard_input(content: bytes) -> Iterator[None]:
    """Give this process another standard input."""
    before = os.dup(0)
    with TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(before, 0)
            os.close(before)
