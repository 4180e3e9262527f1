"""The explorer of the small grid of every table, its packages, and the page's answers."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dicebase.catalog.lookup import Catalog
from dicebase.show.explorer import PAGE
from dicebase.show.explorer.site import write_data
from support import commands, grids
from support.every_table import every_table

SOURCE = commands.ROOT / "workflow/explorer"


def without(what: str) -> None:
    """Skip a test that needs something that is not installed; where DICEBASE_BROWSER is set, fail."""
    (pytest.fail if os.environ.get("DICEBASE_BROWSER") else pytest.skip)(f"there is no {what}")


def site(factory) -> Path:
    """A folder with the explorer of every table, as users get it."""

    def make(folder):
        shutil.copytree(PAGE, folder / "explorer")
        with Catalog(every_table(factory)) as catalog:
            write_data(catalog, folder / "explorer" / "data")

    return grids.once(factory, "explorer", make) / "explorer"


def packages(factory) -> Path:
    """The sources of the page with the packages of its lock installed; skip the test if that fails."""
    if not shutil.which("npm"):
        without("npm")

    def make(folder):
        shutil.copytree(SOURCE, folder / "explorer", ignore=shutil.ignore_patterns("node_modules"))
        command = ["npm", "ci", "--ignore-scripts", "--prefer-offline", "--fetch-retries=0", "--fetch-timeout=10000"]
        done = subprocess.run(command, cwd=folder / "explorer", capture_output=True, text=True)
        (folder / "failed").write_text(done.stderr if done.returncode else "")

    folder = grids.once(factory, "explorer_packages", make)
    if failed := (folder / "failed").read_text():
        without(f"package: npm ci says {failed.strip().splitlines()[-1]}")
    return folder / "explorer"


def node(script: str, *words: object, lines: list[dict]) -> list:
    """The output of a script beside this file for these objects, one per line; skip the test without node."""
    if not shutil.which("node"):
        without("Node.js")
    command = ["node", Path(__file__).with_name(script), *map(str, words)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
