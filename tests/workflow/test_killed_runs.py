"""A process may be killed at any moment: no file has its final name before it is complete; the next run continues."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
import psutil
import pyarrow.parquet as pq
import pytest
import yaml

import dicebase
from dicebase.catalog.rows.row_arrays import TABLES, Mapped, mapped_tables
from dicebase.pipeline.plan import make_plan
from dicebase.tables.layout import MAPPED, SliceFiles
from dicebase.tables.parquet import read_slice
from dicebase.vocabulary import DamagedFileError
from support import commands, grids

# Makes a process kill itself just before or after it gives a file its final name.
DIE = """
import os, signal
moment, name = {!r}.split()
def dying(rename):
    def replace(source, target):
        mine = name in str(target)
        if not (mine and moment == "before"):
            rename(source, target)
        if mine:
            os.kill(os.getpid(), signal.SIGKILL)
    return replace
os.replace, os.rename = dying(os.replace), dying(os.rename)
"""

PLAN = make_plan(yaml.safe_load(grids.SMALLER))
(PIECE,) = (piece for (table, _), piece in PLAN.slices.items() if table == "pig_turn")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Undisturbed results of grids.SMALLER."""
    return grids.build(tmp_path_factory.mktemp("undisturbed") / "results", grids.SMALLER)


@pytest.fixture(scope="module")
def undisturbed_rows(undisturbed):
    return grids.rows(undisturbed)


def readable(results):
    """Whether every file with a final name is a whole file."""
    for path in results.rglob("*"):
        if path.suffix == ".parquet" and not path.name.startswith("."):
            pq.ParquetFile(path).read()
        elif path.suffix == ".duckdb" and not path.name.startswith("."):
            with duckdb.connect(str(path), read_only=True) as connection:
                assert connection.sql("SELECT count(*) FROM tables").fetchall() == [(3,)]
        elif path.name == TABLES and path.parent.name == MAPPED:
            found = [Mapped(path.parent / name, digest) for name, digest in mapped_tables(results).items()]
            assert [len(part.records) > 0 for mapped in found for part in mapped.parts.values()] == [True, True]
    return True


def final_names(results):
    found = (path for path in results.rglob("*") if path.is_file() and not path.name.startswith("."))
    return sorted(path.relative_to(results).parts[0] for path in found)


def job(folder, *words, die=""):
    """Run one job of the workflow, which may kill itself."""
    done = commands.job(folder, *words, "--results", "results", first=DIE.format(die) if die else "")
    assert done.returncode == (-signal.SIGKILL if die else 0), done.stdout


@pytest.mark.parametrize(
    ("die", "left"),
    [("before /tables/", []), ("before /actions/", ["tables"]), ("after /actions/", ["actions", "tables"])],
)
def test_a_solver_killed_between_its_files_is_run_again(tmp_path, undisturbed_rows, die, left):
    results = tmp_path / "results"
    job(tmp_path, "solve", PIECE.key, die=die)
    assert final_names(results) == left and readable(results)
    job(tmp_path, "solve", PIECE.key)
    assert final_names(results) == ["actions", "tables"]
    assert all(rows == undisturbed_rows[path] for path, rows in grids.rows(results).items())


def test_files_of_two_solves_are_refused(tmp_path):
    job(tmp_path, "solve", PIECE.key)
    other = make_plan(yaml.safe_load(grids.SMALLER.replace("[2, 4]", "[2, 6]"))).find("pig_turn", "all")
    job(tmp_path, "solve", other.key, die="before /actions/")
    assert readable(tmp_path / "results")
    with pytest.raises(DamagedFileError, match="do not come from the same solve"):
        read_slice(SliceFiles(tmp_path / "results", "pig_turn", "all"))


@pytest.mark.parametrize("die", ["before all.parquet", "before dicebase.duckdb", "before /mapped"])
def test_copies_and_certificates_are_complete_or_missing(tmp_path, undisturbed, undisturbed_rows, die):
    results = shutil.copytree(undisturbed, tmp_path / "results")
    (tmp_path / "mine.yaml").write_text(grids.SMALLER)
    if "duckdb" in die:
        words, target = ["catalog", PLAN.digest("catalog"), "mine.yaml"], results / "dicebase.duckdb"
    elif "mapped" in die:
        words, target = ["map", PLAN.digest("map"), "mine.yaml"], results / MAPPED / TABLES
    else:
        words = ["certify", PIECE.certificate_key, "pig_turn", "all"]
        target = SliceFiles(results, "pig_turn", "all").certificate
    target.unlink()
    job(tmp_path, *words, die=die)
    assert not target.exists() and readable(results)
    job(tmp_path, *words)
    assert target.exists() and readable(results) and grids.rows(results) == undisturbed_rows


def test_a_terminated_workflow_ends_its_jobs(tmp_path):
    config = "tables: {pig_duel: [{target: {from: 100, to: 140}, slice_by: []}]}"
    (tmp_path / "mine.yaml").write_text(config)
    run = snakemake(tmp_path, "--configfile", tmp_path / "mine.yaml")
    await_file(run.ended, tmp_path, "*.part")
    jobs = psutil.Process(run.pid).children(recursive=True)
    os.kill(run.pid, signal.SIGTERM)
    assert run.wait() == 1
    assert jobs and not [job for job in jobs if job.is_running() and job.status() != psutil.STATUS_ZOMBIE]
    assert final_names(tmp_path / "results") == ["logs"]


def snakemake(folder, *words):
    """A run of the workflow in the background."""
    return commands.Fork(commands.SNAKEMAKE, commands.ROOT, *commands.snakemake_words(folder, *words))


def await_file(ended: Callable[[], object], folder: Path, pattern: str) -> None:
    """Return when a file appears, or when the process has ended."""
    while not ended() and not any((folder / "results").rglob(pattern)):
        time.sleep(0.002)


@pytest.mark.slow
def test_a_workflow_killed_repeatedly_ends_with_the_same_tables(tmp_path, undisturbed_rows):
    (tmp_path / "mine.yaml").write_text(grids.SMALLER)
    words = ["results/dicebase.duckdb", "results/mapped/tables.json"]  # the copies that `undisturbed` has
    words += ["--rerun-incomplete", "--configfile", tmp_path / "mine.yaml"]
    for pattern in ("*.part", "all.parquet", ".dicebase.duckdb.*"):
        run = snakemake(tmp_path, *words)
        await_file(run.ended, tmp_path, pattern)
        with suppress(ProcessLookupError):  # the run has ended
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert readable(tmp_path / "results")
        shutil.rmtree(tmp_path / ".snakemake/locks", ignore_errors=True)  # as --unlock does
    commands.jobs(commands.snakemake(tmp_path, *words))
    assert readable(tmp_path / "results") and grids.rows(tmp_path / "results") == undisturbed_rows
    assert [path.name for path in (tmp_path / "results").rglob(".*") if "snakemake" not in path.name] == []
    with dicebase.open(tmp_path / "results") as db:
        assert len(db.tables()) == 3 and db.lookup("pig_turn", turn_total=2, sides=2)["value"] == 2.0
