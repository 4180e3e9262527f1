"""Storm and each library of dicebase.environments in an environment of its own, with the wheel and tables of a release.

try_gymnasium.py also runs the learning curve of docs/use/environments.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import commands

LOCK = commands.ROOT / "requirements/environments.lock"
NEEDED = {"openspiel": ["cvxpy"], "mlcroissant": ["mlcroissant", "pyarrow"], "storm": ["stormpy"]}
"""What a script needs beside the wheel; mlcroissant needs no wheel."""
EXTRAS = {"storm": "model"}
"""The wheel's extra, if it does not have the script's name."""


@pytest.mark.parametrize("library", ["gymnasium", "pettingzoo", "openspiel", "verifiers", "mlcroissant", "storm"])
def test_the_library_accepts_it(library, release, wheel, fetched, install, tmp_path):
    extra = f"{wheel}[{EXTRAS.get(library, library)}]"
    needed = NEEDED.get(library, []) + ([] if library == "mlcroissant" else [extra])
    scripts = install(library, sys.executable, "--constraint", LOCK, *needed)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # verifiers starts uv
    script = Path(__file__).parent / f"environments/try_{library}.py"
    command = [scripts / "python", "-P", script, fetched, release / "dataset/croissant.json"]
    env = {**os.environ, "PATH": path}
    done = subprocess.run([*map(str, command)], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
