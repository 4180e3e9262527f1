"""A grid through a Slurm on this machine: jobs get the resources they ask for, and one with too little is repeated.

`.ci/slurm` installs the requirements."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

import dicebase
from dicebase.pipeline import costs
from support import commands, grids, slurm_loopback

PROFILES = commands.ROOT / "workflow" / "profiles"
STARVED = "forbidden_multiple_turn"
LITTLE, ENOUGH = 60, 1000  # MB; every job exceeds LITTLE soon after its start
STARVE = f"solve_decisions:mem_mb={LITTLE} if attempt == 1 and wildcards.table == '{STARVED}' else {ENOUGH}"
# A single machine has no accounting, and can be polled sooner than a cluster.
HERE = ("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", 6)
CONFIG = """
tables:
  pig_turn:
    - {sides: [2, 4], dice: [1, 2], slice_by: [dice]}
  forbidden_multiple_turn:
    - {multiple: 3, sides: 5, slice_by: []}
  royal_ur_layers:
    - {pieces: 2, before: 1, middle: 2, after: 1, dice: 2}
"""
JOBS = {"solve": 6, "certify": 6, "catalog": 1, "map": 1}
READ = ("results/dicebase.duckdb", "results/mapped/tables.json")
SECONDS = 600  # of the whole run, which takes a minute or two on two cores


class Asked(NamedTuple):
    """The resources of a job."""

    threads: int
    mem_mb: int
    runtime: int


class Run(NamedTuple):
    folder: Path
    said: str
    finished: dict[int, tuple[str, str, Asked]]
    """{number of a job: (rule and wildcards, state, resources)}, as Slurm reports them."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """CONFIG, built through Slurm."""
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="needs what `make slurm` installs")
    if missing := slurm_loopback.missing():
        pytest.skip(f"needs Slurm ({', '.join(missing)} not found); on Debian: {slurm_loopback.INSTALL}")
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "mine.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "snakemake", "--snakefile", commands.ROOT / "Snakefile", "--directory", folder]
    command += ["--workflow-profile", PROFILES / "slurm", *HERE, "--set-resources", STARVE]
    command += ["--configfile", folder / "mine.yaml", "--", *READ]
    with slurm_loopback.running() as variables:
        env = commands.environment(**variables)
        done = subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, timeout=SECONDS)
        listed = slurm_loopback.said(variables, "squeue", "--states=all", "--noheader", "--format=%i|%k|%T|%C|%m|%l")
    assert done.returncode == 0, done.stderr
    finished = {}
    for line in listed.splitlines():
        number, comment, state, threads, memory, limit = line.split("|")
        finished[int(number)] = comment, state, Asked(int(threads), megabytes(memory), minutes(limit))
    return Run(folder, done.stderr, finished)


def megabytes(memory):
    """Megabytes of an amount such as 1000M or 4G."""
    return int(memory[:-1]) * {"M": 1, "G": 1024}[memory[-1]]


def minutes(limit):
    """Minutes of a time limit such as 1-02:03:00 or 10:00."""
    days, _, rest = limit.rpartition("-")
    *hours, minute, _ = rest.split(":")
    return int(days or 0) * 1440 + int(*hours or [0]) * 60 + int(minute)


def submitted(said):
    """{Slurm's number of a job: the resources that Snakemake asked for}; each attempt is a job of Slurm."""
    attempts = {}
    for block in re.findall(r"^rule \w+:\n((?:    .*\n)+)", said, re.MULTILINE):
        fields = dict(line.strip().split(": ", 1) for line in block.splitlines())
        resources = dict(field.split("=") for field in fields["resources"].split(", "))
        asked = Asked(int(fields.get("threads", 1)), int(resources["mem_mb"]), int(resources["runtime"]))
        attempts.setdefault(fields["jobid"], []).append(asked)
    numbers = re.findall(r"^Job (\d+) has been submitted with SLURM jobid (\d+)", said, re.MULTILINE)
    return {int(number): attempts[job].pop(0) for job, number in numbers}


def test_the_profile_extends_the_default_one():
    default, slurm = (yaml.safe_load((PROFILES / name / "config.yaml").read_text()) for name in ("default", "slurm"))
    del default["cores"]
    assert default.items() <= slurm.items()


def test_the_page_on_clusters_has_the_resources_and_packages():
    page = (commands.ROOT / "docs/scale/cluster.md").read_text(encoding="utf-8")
    for row in (
        f"| memory | {costs.MEMORY_MARGIN} times the prediction and {costs.BESIDE} MB, "
        f"at least {costs.LEAST_MEMORY} MB | {costs.UNKNOWN_MEMORY} MB |",
        f"| time | {costs.TIME_MARGIN} times the prediction, at least {costs.LEAST_TIME} minutes "
        f"| {costs.UNKNOWN_TIME} minutes |",
    ):
        assert row in page
    assert slurm_loopback.INSTALL in page


def test_every_job_ran_in_slurm_with_its_resources(run):
    rules = Counter(comment.split("_")[1] for comment, _, _ in run.finished.values())
    assert rules == JOBS | {"solve": JOBS["solve"] + 1}
    assert {number: asked for number, (_, _, asked) in run.finished.items()} == submitted(run.said)


def test_a_job_with_too_little_memory_is_repeated_with_more(run):
    of_starved = [job for _, job in sorted(run.finished.items()) if f"solve_decisions_wildcards_{STARVED}" in job[0]]
    assert [(state, asked.mem_mb) for _, state, asked in of_starved] == [("FAILED", LITTLE), ("COMPLETED", ENOUGH)]
    assert of_starved[1][2].runtime == 2 * of_starved[0][2].runtime
    assert {state for comment, state, _ in run.finished.values() if STARVED not in comment} == {"COMPLETED"}
    (log,) = (run.folder / ".snakemake" / "slurm_logs").rglob("*.log")
    assert log.parts[-3:-1] == ("rule_solve_decisions", f"{STARVED}_all") and "exceeded memory limit" in log.read_text()
    assert run.said.count("Trying to restart job") == 1


def test_the_tables_equal_those_of_this_machine(run, tmp_path):
    assert grids.rows(run.folder / "results") == grids.rows(grids.build(tmp_path / "results", CONFIG))
    with dicebase.open(run.folder / "results") as db:
        assert db.lookup("pig_turn", turn_total=2, sides=2)["value"] == 2.0
    local = ["--workflow-profile", PROFILES / "default", "--configfile", run.folder / "mine.yaml"]
    done = commands.snakemake(run.folder, "-n", *local, "--", *READ)
    assert "Nothing to be done" in done.stdout
