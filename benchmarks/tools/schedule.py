"""The predicted time of a grid on 1, 10 and 100 nodes, from Snakemake's own DAG and the seconds of the cost model.

python benchmarks/tools/schedule.py [CONFIG...]   (default: the default grid, the atlas, and house rules defined below)

A node has two cores, like the cost model's machine. A free core takes the job at the start of the longest remaining
chain of jobs; on a cluster, submitting a job adds to its time. Network and file system are not modelled.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import combinations
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))  # for _measure

from _measure import heading, number, table
from _workflow import ROOT, SNAKEMAKE

from dicebase.pipeline import configuration
from dicebase.pipeline.costs import RULES, duration, read_costs
from dicebase.pipeline.plan import make_plan

NODES, CORES = (1, 10, 100), 2
SUBMITTING = 10.0  # seconds from submitting a cluster job to its start, including Snakemake's start in the job
LABEL = re.compile(r'^\s*(\d+)\[label = "([^"]*)"', re.MULTILINE)
EDGE = re.compile(r"^\s*(\d+) -> (\d+)$", re.MULTILINE)

TRIPLES = {"1": 100, "5": 50, "111": 1000, "222": 200, "333": 300, "444": 400, "555": 500, "666": 600}
# Optional combinations of six dice; a house may play any subset of them.
ADDED = {
    "straight": {"123456": 1500},
    "pairs": {"".join(sorted(2 * "".join(three))): 750 for three in combinations("123456", 3)},
    "four": {face * 4: 1000 for face in "23456"} | {"1111": 2000},
    "five": {face * 5: 2000 for face in "23456"} | {"11111": 4000},
    "six": {face * 6: 3000 for face in "23456"} | {"111111": 8000},
    "low_triple": {"111": 300},
}


@dataclass(frozen=True)
class Job:
    """One job: its seconds, and the jobs that must finish before it."""

    seconds: float
    after: frozenset[Hashable] = field(default_factory=frozenset)


def makespan(jobs: Mapping[Hashable, Job], cores: int) -> float:
    """Return the seconds until the last job is done if each free core takes the ready job that starts the longest chain
    of jobs (list scheduling). By Graham (1966) no schedule takes less than half of this time.

    Raises ValueError for cycles and for unknown jobs.
    """
    waiting = {name: set(job.after) for name, job in jobs.items()}
    try:
        order = list(TopologicalSorter(waiting).static_order())
    except CycleError as error:
        raise ValueError(f"{error.args[1][0]} waits for itself") from error
    following: dict[Hashable, list[Hashable]] = {name: [] for name in jobs}
    for name, job in jobs.items():
        for before in job.after:
            if before not in jobs:
                raise ValueError(f"{name} waits for {before}, which is not a job")
            following[before].append(name)
    behind: dict[Hashable, float] = {}
    for name in reversed(order):
        behind[name] = jobs[name].seconds + max((behind[n] for n in following[name]), default=0.0)
    rank = {name: position for position, name in enumerate(order)}  # to break ties, as names may not be comparable
    ready: list[tuple[float, int, Hashable]] = []
    running: list[tuple[float, int, Hashable]] = []
    for name in order:
        if not waiting[name]:
            heappush(ready, (-behind[name], rank[name], name))
    now = 0.0
    while ready or running:
        while ready and len(running) < cores:
            _, position, name = heappop(ready)
            heappush(running, (now + jobs[name].seconds, position, name))
        now, _, done = heappop(running)
        for name in following[done]:
            waiting[name].discard(done)
            if not waiting[name]:
                heappush(ready, (-behind[name], rank[name], name))
    return now


def house_rules(target: int) -> dict:
    """Return a configuration with every subset of the optional combinations, six dice, and each match to a target."""
    rules = {}
    for count in range(len(ADDED) + 1):
        for chosen in combinations(ADDED, count):
            scoring = dict(TRIPLES)
            for name in chosen:
                scoring |= ADDED[name]
            rules["_".join(("house", *chosen))] = {"dice": 6, "combinations": scoring}
    names = list(rules)
    return {
        "definitions": {"ten_thousand": {"rules": rules}},
        "tables": {
            "ten_thousand_turn": [{"rules": names}],
            "ten_thousand_race": [{"rules": names, "target": target}],
            "ten_thousand_reach": [{"rules": names, "target": target, "turns": 40}],
            "ten_thousand_duel": [{"rules": names, "target": target}],
        },
    }


def dag(config: Path) -> tuple[dict[str, list[str]], dict[str, set[str]]]:
    """Return Snakemake's DAG with nothing built: each job's rule and wildcards, and the jobs that it waits for."""
    with tempfile.TemporaryDirectory() as name:
        words = ["--configfile", str(config), "--config", f"results={name}/results", "--dag"]
        done = subprocess.run([*SNAKEMAKE, *words], cwd=name, capture_output=True, text=True, check=True)
    labels = {job: label.split("\\n") for job, label in LABEL.findall(done.stdout)}
    before: dict[str, set[str]] = {job: set() for job in labels}
    for first, then in EDGE.findall(done.stdout):
        before[then].add(first)
    return labels, before


def jobs(config: Path) -> dict[str, Job]:
    """Return the jobs of a configuration with their seconds and predecessors."""
    costs, plan = read_costs(), make_plan(configuration.read([config]))
    labels, before = dag(config)
    found = {}
    for job, (rule, *_) in labels.items():
        if rule in RULES:
            # A label omits the wildcards that it shares with the job before.
            place = labels[job] if rule == "solve" else labels[next(iter(before[job]))]
            names = dict(word.split(": ", 1) for word in place[1:])
            cost = costs.of_slice(rule, plan.find(names["table"], names["slice"]))
        else:
            cost = costs.after(rule, plan)
        if cost is None and rule != "all":
            raise SystemExit(f"{rule} {' '.join(labels[job][1:])}: never measured")
        seconds = cost.seconds if cost else 0.0
        found[job] = Job(seconds, frozenset(before[job]))
    return found


def submitted(found: dict[str, Job]) -> dict[str, Job]:
    """Return the jobs with the time to submit each added to their seconds."""
    return {name: Job(job.seconds + SUBMITTING, job.after) for name, job in found.items()}


def show(title: str, config: Path) -> None:
    """Print the schedule of one configuration."""
    found = jobs(config)
    work = sum(job.seconds for job in found.values())
    rows = []
    for nodes in NODES:
        taken = makespan(found if nodes == 1 else submitted(found), nodes * CORES)
        rows.append([nodes, duration(taken), number(work / taken), f"{work / taken / nodes / CORES:.0%}"])
    heading(
        f"{title}: {len(found)} jobs, {duration(work)} of work, the longest chain {duration(makespan(found, 10**6))}"
    )
    table(["nodes", "time", "cores at work", "of all"], rows)


def main(configs: list[str]) -> None:
    if configs:
        for config in configs:
            show(config, Path(config).resolve())
        return
    show("the default grid", ROOT / "config/config.yaml")
    show("the atlas", ROOT / "config/atlas.yaml")
    with tempfile.TemporaryDirectory() as name:
        config = Path(name) / "houses.yaml"
        for target in (10_000, 20_000):
            config.write_text(yaml.safe_dump(house_rules(target)), encoding="utf-8")
            show(f"64 house rules, six dice, target {target}", config)


if __name__ == "__main__":
    main(sys.argv[1:])
