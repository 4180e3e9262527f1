"""Environments of their own with the wheel of a release.

DICEBASE_RELEASE names the folder that `make release` has filled, and DICEBASE_PYTHONS the interpreters, the oldest
first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import commands, grids

PYTHONS = os.environ.get("DICEBASE_PYTHONS", "").split()
UV = Path(sys.executable).with_name("uv")


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess:
    return subprocess.run([*map(str, command)], cwd=cwd, env=commands.environment(), capture_output=True, text=True)


def done(*command: object, cwd: Path) -> str:
    """The output of a command, which must succeed."""
    ended = run(*command, cwd=cwd)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="session")
def release():
    if not PYTHONS or "DICEBASE_RELEASE" not in os.environ:
        pytest.skip("needs DICEBASE_RELEASE, a folder that `make release` has filled, and DICEBASE_PYTHONS")
    return Path(os.environ["DICEBASE_RELEASE"]).resolve()


@pytest.fixture(scope="session")
def wheel(release):
    (wheel,) = release.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def install(tmp_path_factory):
    """A function that returns the scripts of an environment with some packages, made once for all tests."""

    def install(name, python, *packages):
        def make(folder):
            done(UV, "venv", "-q", "--python", python, folder / "venv", cwd=folder)
            done(UV, "pip", "install", "-q", "--python", folder / "venv/bin/python", *packages, cwd=folder)

        return grids.once(tmp_path_factory, f"venv_{name}", make) / "venv/bin"

    return install


@pytest.fixture(scope="session")
def serving(wheel, install):
    """The scripts of an environment with the released server, by the newest Python."""
    return install("serve", PYTHONS[-1], f"{wheel}[serve]")


@pytest.fixture(scope="session")
def fetched(release, serving, tmp_path_factory):
    """The tables of the release, to be read only."""

    def fetch(folder):
        done(serving / "dicebase", "--results", "results", "fetch", release, cwd=folder)

    return grids.once(tmp_path_factory, "fetched", fetch) / "results"
