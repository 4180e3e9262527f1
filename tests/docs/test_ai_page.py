"""The programs of docs/use/ai.md give equal answers, if their languages and DuckDB's clients are installed."""

import os
import re
import shutil
import subprocess
import sys

import duckdb
import pytest

from support.commands import ROOT
from support.pages import BLOCK, blocks

PAGE = "docs/use/ai.md"
FILES = {m["file"]: m["text"] for m in BLOCK.finditer((ROOT / PAGE).read_text(encoding="utf-8")) if m["file"]}
NODE_MODULES = os.environ.get("DICEBASE_NODE_MODULES", "")
"""A folder `node_modules` that has @duckdb/node-api."""


@pytest.fixture
def place(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True).stdout


def test_there_is_a_program_in_each_language():
    assert [*FILES] == ["try/ai.py", "try/ai.mjs", "try/ai.R", "try/http.mjs", "try/Ai.java"]


@pytest.mark.parametrize(
    ("command", "file"), [(sys.executable, "try/ai.py"), ("node", "try/ai.mjs"), ("Rscript", "try/ai.R")]
)
def test_a_program_over_the_catalogue_answers(place, default_results, command, file):
    if not shutil.which(command) or (command == "node" and not NODE_MODULES):
        pytest.skip(f"{command} or a package of it is not installed")
    (place / "results").symlink_to(default_results)
    (place / "try/node_modules").symlink_to(NODE_MODULES or "nowhere")
    assert run(command, file, cwd=place).strip() == "roll hold"


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_program_in_javascript_is_javascript(place):
    run("node", "--check", "try/ai.mjs", cwd=place)


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_program_over_http(place, default_results):
    command = [sys.executable, "-u", "-c", "from dicebase.cli import main; main()"]
    command += ["serve", "--port", "0", "--results", default_results]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = re.search(r"http://[^/]*", server.stdout.readline())[0]
            text = (place / "try/http.mjs").read_text(encoding="utf-8")
            (place / "try/http.mjs").write_text(text.replace("http://127.0.0.1:8000", address), encoding="utf-8")
            assert run("node", "try/http.mjs", cwd=place) == "roll hold\n"
        finally:
            server.terminate()


@pytest.mark.skipif(not shutil.which("javac"), reason="no Java compiler is installed")
def test_the_program_in_java_compiles(place):
    run("javac", "-d", "classes", "try/Ai.java", cwd=place)
    assert (place / "classes/Ai.class").exists()


def test_the_queries_of_the_page_answer(default_results):
    with duckdb.connect(str(default_results / "dicebase.duckdb"), read_only=True) as db:
        one, weaker = (db.sql(query).fetchall() for query in blocks(PAGE, "sql"))
    assert one == [("keep 1, roll 4",)] and weaker[0][0] in ("roll", "hold")
