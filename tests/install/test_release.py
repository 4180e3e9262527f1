"""The folder that `make release` fills answers the commands of the README without any build, with the newest Python."""

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from dicebase.pipeline.checks.folder import verify_files
from dicebase.tables.layout import sha256_of
from support import commands
from support.pages import blocks, session


@pytest.fixture(scope="module")
def unpacked(fetched, serving, tmp_path_factory):
    """(folder with the released tables, shell variables that lead to the released wheel with its server)."""
    folder = tmp_path_factory.mktemp("released")
    (folder / "results").symlink_to(fetched)
    return folder, {"PATH": f"{serving}{os.pathsep}{os.environ['PATH']}"}


def run(command: str, variables: dict[str, str], folder: Path) -> str:
    """The output and the errors of a command."""
    shell = ["bash", "-c", command]
    env = commands.environment(**variables)
    done = subprocess.run(shell, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip("\n")


def test_the_sessions_of_the_readme_work(unpacked):
    folder, variables = unpacked
    asked = [pair for block in blocks("README.md", "console") for pair in session(block)]
    assert len(asked) > 2
    for command, printed in asked:
        assert run(command, variables, folder) == printed, command


def test_the_python_of_the_readme_works(unpacked):
    folder, variables = unpacked
    (folder / "readme.txt").write_text("\n".join(blocks("README.md", "python")), encoding="utf-8")
    assert run("python -m doctest -o ELLIPSIS readme.txt", variables, folder) == ""


def test_the_other_commands_of_the_readme_work(unpacked, serving):
    folder, variables = unpacked
    (client,) = (block for block in blocks("README.md", "sh") if block.startswith("duckdb "))
    query = re.search(r'"(.*)"', client)[1]
    asked = f"duckdb.connect('results/dicebase.duckdb', read_only=True).sql({query!r})"
    (folder / "client.py").write_text(f"import duckdb\nprint({asked})\n")
    assert "roll" in run("python client.py", variables, folder)
    command = [serving / "dicebase", "serve", "--port", "0"]
    pipes = {"env": commands.environment(), "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=folder, **pipes) as serving:
        try:
            address = re.search(r"http\S+", serving.stdout.readline())[0]
            assert b"<html" in urlopen(f"{address}explorer/").read()
            assert json.load(urlopen(f"{address}v1/pig_turn?turn_total=20"))["value"] == 20
        finally:
            serving.terminate()


def test_the_archive_has_true_digests(fetched):
    """Compare the digests; `.ci/run` certifies the tables again."""
    found = list(verify_files(fetched))
    assert found and not any(problem for _, problem in found)


def test_the_dataset_has_true_digests_and_the_released_rows(release, fetched):
    dataset = release / "dataset"
    said = dict(reversed(line.split(maxsplit=1)) for line in (dataset / "SHA256SUMS").read_text().splitlines())
    files = {p.relative_to(dataset).as_posix(): p for p in dataset.rglob("*") if p.is_file()}
    assert {*said} == {*files} - {"SHA256SUMS"} and {"README.md", "croissant.json", ".zenodo.json"} <= {*said}
    assert all(sha256_of(files[name]) == digest for name, digest in said.items())
    places = [name for name in said if name.startswith(("tables/", "actions/", "values/", "certificates/"))]
    assert all(said[name] == sha256_of(fetched / name) for name in places) and len(places) > 100


def test_the_release_has_two_sites_and_true_digests(release):
    assert all((release / name / "index.html").is_file() for name in ("explorer", "documentation"))
    said = dict(reversed(line.split()) for line in (release / "SHA256SUMS").read_text().splitlines())
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in release.glob("dicebase-*")}
    assert said == files and len(files) == 2
