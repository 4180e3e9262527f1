"""Storm and each library of dicebase.environments in an environment of its own, with the wheel and tables of a release.

try_gymnasium.py also runs the learning curve of docs/use/environments.md.

DICEBASE_RELEASE names the folder that `make release` has filled."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import commands

RELEASE = os.environ.get("DICEBASE_RELEASE")
pytestmark = pytest.mark.skipif(not RELEASE, reason="needs DICEBASE_RELEASE, a folder that `make release` has filled")
LOCK = commands.ROOT / "requirements/environments.lock"
NEEDED = {"openspiel": ["cvxpy"], "mlcroissant": ["mlcroissant", "pyarrow"], "storm": ["stormpy"]}
"""What a script needs beside the wheel; mlcroissant needs no wheel."""
EXTRAS = {"storm": "model"}
"""The wheel's extra, if it does not have the script's name."""


@pytest.fixture(scope="module")
def fetched(tmp_path_factory):
    """The tables of the release."""
    results = tmp_path_factory.mktemp("fetched") / "results"
    done = commands.dicebase("--results", results, "fetch", Path(RELEASE).resolve(), cwd=results.parent)
    assert done.returncode == 0, done.stderr
    return results


@pytest.mark.parametrize("library", ["gymnasium", "pettingzoo", "openspiel", "verifiers", "mlcroissant", "storm"])
def test_the_library_accepts_it(library, fetched, tmp_path):
    (wheel,) = Path(RELEASE).resolve().glob("*.whl")
    extra = f"{wheel}[{EXTRAS.get(library, library)}]"
    needed = NEEDED.get(library, []) + ([] if library == "mlcroissant" else [extra])
    uv = Path(sys.executable).with_name("uv")
    python = tmp_path / "venv/bin/python"
    path = f"{uv.parent}{os.pathsep}{os.environ['PATH']}"  # verifiers starts uv
    env = {**os.environ, "PATH": path}
    script = Path(__file__).parent / f"environments/try_{library}.py"
    for command in (
        [uv, "venv", "-q", "--python", sys.executable, tmp_path / "venv"],
        [uv, "pip", "install", "-q", "--python", python, "--constraint", LOCK, *needed],
        [python, "-P", script, fetched, Path(RELEASE).resolve() / "dataset/croissant.json"],
    ):
        done = subprocess.run([*map(str, command)], cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
