"""A grid of a second or two, and the commands of the project started as people start them."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from dicebase.catalog.build import build_catalog
from dicebase.certify.slices import certify_slice
from dicebase.cli import main
from dicebase.pipeline.plan import make_plan, make_slice, slice_name
from dicebase.tables.layout import files
from dicebase.tables.names import find_table
from dicebase.tabulate.slices import solve_slice

ROOT = Path(__file__).parents[1]

CROCCE_MORDECKI = """
definitions:
  ten_thousand:
    rules:
      crocce_mordecki:
        dice: 5
        combinations: {"1": 100, "5": 50, "111": 1000, "222": 200, "333": 300, "444": 400, "555": 500, "666": 600}
"""

CONFIG = """
definitions:
  ten_thousand:
    rules:
      pocket:
        dice: 3
        combinations: {"1": 100, "5": 50, "11": 300}

tables:
  pig_turn:
    - {sides: [2, 4, 6], dice: [1, 2], slice_by: [dice]}
  forbidden_multiple_turn:
    - {multiple: {from: 4, to: 10, step: 3}, slice_by: []}
  ten_thousand_turn:
    - {rules: pocket, moves: [stop_roll, all]}
"""

SMALLER = """
tables:
  pig_turn:
    - {sides: [2, 4], slice_by: []}
  forbidden_multiple_turn:
    - {multiple: 3, sides: 5, slice_by: []}
"""

AFTER = dict.fromkeys(("catalog", "datapackage", "audit", "report", "explorer"), 1)
"""The jobs of a run once something is certified."""


def build(results: Path, config: str = CONFIG) -> Path:
    """Solve, certify and catalogue a configuration in this process."""
    plan = make_plan(yaml.safe_load(config))
    for (table, name), piece in plan.slices.items():
        folder, certificate = files(results, table, name)
        solve_slice(json.loads(piece.key), folder)
        certify_slice(folder, certificate, json.loads(piece.certificate_key))
    build_catalog(results, plan.slices)
    return results


def certified(name: str, given: dict, folder: Path, definitions: dict) -> tuple[Path, list]:
    """(the slice's folder, its certificates) of one variant, solved into a results folder and certified."""
    table = find_table(name)
    variant = table.variant(given, definitions, name)
    piece = make_slice(table, slice_name(variant), [variant], definitions)
    place, _ = files(folder, name, piece.name)
    solve_slice(json.loads(piece.key), place)
    return place, certify_slice(place, None, None)


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills, once for all workers of a test run; to be read only."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"once_{name}"
    place.mkdir(exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "made").exists():
            shutil.rmtree(place / "folder", ignore_errors=True)
            (place / "folder").mkdir()
            make(place / "folder")
            (place / "made").touch()
    return place / "folder"


def python(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """`python words...` in a folder; `variables` are added to the environment."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=cwd, env=environment(**variables), capture_output=True, text=True)


def dicebase(*words: object, cwd: Path, **variables: object) -> subprocess.CompletedProcess:
    """The command `dicebase words...` in a folder."""
    return python("-c", "import sys; from dicebase.cli import main; sys.exit(main())", *words, cwd=cwd, **variables)


def error_of(capsys, *words: object) -> str:
    """What a command says of wrong input: exit code 2, one line on stderr, nothing on stdout."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as done:
        code = done.code
    out, err = capsys.readouterr()
    assert code == 2 and out == ""
    assert err.startswith("error: ") and err.endswith("\n") and err.count("\n") == 1, err
    return err


def environment(**variables: object) -> dict[str, str]:
    """This process's environment without what would lead a command to other files, plus `variables`."""
    own = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DICEBASE_GAMES", "SNAKEMAKE_PROFILE")}
    return own | {k: str(v) for k, v in variables.items()}


def snakemake(folder: Path, *words: object, root: Path = ROOT, **variables: object) -> subprocess.CompletedProcess:
    """The workflow of `root` with `folder` as its working directory; stdout and stderr together in stdout."""
    command = snakemake_command(folder, *words, root=root)
    env = environment(**variables)
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def snakemake_command(folder: Path, *words: object, root: Path = ROOT) -> list[str]:
    """Words that go to options with several values, such as --configfile, come last."""
    options = ["--snakefile", root / "Snakefile", "--directory", folder, "--cores", 2]
    return [sys.executable, "-m", "snakemake", *map(str, [*options, *words])]


def jobs(done: subprocess.CompletedProcess) -> dict[str, int]:
    """How many jobs of each rule a run, or a dry run, has planned; `all` and `total` aside."""
    assert done.returncode == 0, done.stdout
    stats = re.search(r"Job stats:\n(?:.*\n){2}((?:\w+ +\d+\n)*)", done.stdout)
    counted = dict(line.split() for line in stats[1].splitlines()) if stats else {}
    return {rule: int(count) for rule, count in counted.items() if rule not in ("all", "total")}


def rows(results: Path) -> dict[str, list[dict]]:
    """Every row of every Parquet file below a folder, by its path; times of solving aside."""
    found = {}
    for path in sorted(results.rglob("*.parquet")):
        if not path.name.startswith("."):
            table = pq.ParquetFile(path).read()
            kept = [name for name in table.column_names if name != "seconds"]
            found[str(path.relative_to(results))] = table.select(kept).to_pylist()
    return found


def copy_of_the_workflow(folder: Path) -> Path:
    """The workflow's code in a folder of its own, where a test may edit it; compiled code comes along."""
    shutil.copy2(ROOT / "Snakefile", folder)
    ignored = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=ignored)
    return folder
