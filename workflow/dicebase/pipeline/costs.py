"""Predict the seconds, memory and disk space of jobs, from jobs that were measured (docs/scale/scale.md).

`costs.csv` holds one line per measured job. A slice that was not measured is predicted from the most similar measured
slice of its table, scaled by the ratio of their bytes. No table depends on a prediction.
`benchmarks/tools/costs.py` writes the file from the logs of finished builds.
"""

import csv
import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dicebase.pipeline.plan import READERS, Plan, Slice
from dicebase.vocabulary import STARTS, Layout
from dicebase.vocabulary.progress import duration

COSTS = Path(__file__).parent / "costs.csv"
RULES = ("solve", "certify")  # of a slice; the other rules read all slices
# Resources requested from a cluster beyond the prediction. Each retry of a killed job gets the same amount more.
MEMORY_MARGIN, LEAST_MEMORY, UNKNOWN_MEMORY = 1.5, 1000, 4000  # MB; unknown: no job of the table was measured
STARTED = 150  # MB that a job needs before it does anything
BESIDE = 400  # MB: on a cluster each job has two Snakemake processes beside it
TIME_MARGIN, LEAST_TIME, UNKNOWN_TIME = 4, 10, 240  # minutes

JobName = tuple[str, str, str]
"""(rule, table, slice); table and slice are empty for a rule that reads all tables."""


@dataclass(frozen=True)
class Cost:
    """Resources that a job takes on one core of the measured machine."""

    seconds: float
    memory: float  # MB, the largest resident set
    disk: float  # MB of the files that it writes

    def scaled(self, ratio: float) -> "Cost":
        """Return the cost of a job with `ratio` times as much work."""
        return Cost(self.seconds * ratio, STARTED + max(self.memory - STARTED, 0.0) * ratio, self.disk * ratio)


def model_of(job: Slice) -> str:
    """Return the name under which a slice's table is measured; each layout of a table has its own name."""
    table = job.table
    if job.store == STARTS:
        return f"{table.name}_{STARTS}"
    if not table.match_class.follows_from:
        return table.name
    follows = table.build(job.variants[0], job.definitions).stored.layout is Layout.FOLLOWED
    return f"{table.name}_values" if follows else table.name


def size_of(job: Slice) -> float:
    """Return the bytes that the variants of a slice need (Listing.bytes), but at least one byte per variant."""
    return max(math.fsum(v["bytes"] for v in job.sized), len(job.variants))


def least_memory(job: Slice) -> float:
    """Return the MB that the largest variant of a slice needs, whether or not its job was measured."""
    return STARTED + max(v["bytes"] for v in job.sized) / 10**6


def memory_here() -> float:
    """Return the MB of memory that this machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 10**6


class Costs:
    """All measured jobs. `rows` has the columns of `costs.csv`, as texts or numbers."""

    def __init__(self, rows: Iterable[Mapping[str, str | float]]) -> None:
        self._measured: dict[tuple[str, str], list[tuple[str, float, Cost]]] = defaultdict(list)
        for row in rows:
            cost = Cost(*(float(row[name]) for name in ("seconds", "memory", "disk")))
            self._measured[str(row["rule"]), str(row["table"])].append((str(row["slice"]), float(row["size"]), cost))

    def of_slice(self, rule: str, job: Slice) -> Cost | None:
        """Return the cost of `solve` or `certify` for a slice, or None if no slice of its table was measured."""
        cost = self._predicted(rule, model_of(job), job.name, size_of(job))
        return cost and Cost(cost.seconds, max(cost.memory, least_memory(job)), cost.disk)

    def after(self, rule: str, plan: Plan) -> Cost | None:
        """Return the cost of a rule that reads all slices; None if it or the table of a slice was never measured."""
        solved = [self.of_slice("solve", job) for job in plan.slices.values()]
        return self._predicted(rule, "", "", math.fsum(cost.disk for cost in solved)) if all(solved) else None

    def _predicted(self, rule: str, table: str, name: str, size: float) -> Cost | None:
        """Return the cost of the measured job with the nearest size, scaled by the ratio of the sizes; if several are
        equally near, the job of that name is preferred."""
        rows = self._measured.get((rule, table))
        if not rows:
            return None
        _, measured, cost = min(rows, key=lambda row: (abs(math.log(size / row[1])), row[0] != name))
        return cost if size == measured else cost.scaled(size / measured)

    def of(self, plan: Plan, names: Iterable[JobName]) -> dict[JobName, Cost | None]:
        """Return the cost of each of these jobs of a plan."""
        return {
            (rule, *place): self.of_slice(rule, plan.find(*place)) if all(place) else self.after(rule, plan)
            for rule, *place in names
        }


def job_name(rule: str, wildcards: Mapping[str, str]) -> JobName:
    """Return the name of a Snakemake job. Snakemake has one rule `solve_...` per combination of files."""
    return rule.split("_")[0], wildcards.get("table", ""), wildcards.get("slice", "")


def mem_mb(cost: Cost | None, attempt: int) -> int:
    """Return the MB of memory to request for the given attempt, which counts from 1."""
    asked = max(LEAST_MEMORY, BESIDE + MEMORY_MARGIN * cost.memory) if cost else UNKNOWN_MEMORY
    return math.ceil(asked) * attempt


def runtime(cost: Cost | None, attempt: int) -> int:
    """Return the minutes to request for the given attempt, which counts from 1."""
    asked = max(LEAST_TIME, TIME_MARGIN * cost.seconds / 60) if cost else UNKNOWN_TIME
    return math.ceil(asked) * attempt


def resources(costs: Costs, plan: Plan, rule: str) -> dict[str, Callable[..., int]]:
    """The resources that each job of a rule requests, as functions that Snakemake calls with wildcards and attempt."""

    def cost(wildcards: Mapping[str, str]) -> Cost | None:
        name = job_name(rule, wildcards)
        return costs.of(plan, [name])[name]

    return {
        "mem_mb": lambda wildcards, attempt: mem_mb(cost(wildcards), attempt),
        "runtime": lambda wildcards, attempt: runtime(cost(wildcards), attempt),
    }


def read_costs() -> Costs:
    """Read the measurements that belong to this version of dicebase."""
    with COSTS.open(encoding="utf-8", newline="") as file:
        return Costs(csv.DictReader(file))


def all_jobs(plan: Plan) -> list[JobName]:
    """Return every job of a plan that starts from an empty results folder."""
    return [(rule, *place) for place in plan.slices for rule in RULES] + [(rule, "", "") for rule in READERS]


def estimate(jobs: Mapping[JobName, Cost | None], at_once: int) -> str:
    """Say in one line what these jobs will take on the measured machine, `at_once` at a time: their number, time, disk
    space, the memory of the largest job, and which of them were never measured."""
    known = {name: cost for name, cost in jobs.items() if cost}
    work = math.fsum(cost.seconds for cost in known.values())
    about = "about" if len(known) == len(jobs) else "at least"
    least = duration(least_time(known, at_once))
    said = [f"{len(jobs)} job{'s' * (len(jobs) != 1)}: {about} {least} with {at_once} at a time"]
    said.append(f"{duration(work)} of work")
    if known:
        largest = max(known, key=lambda name: known[name].memory)
        said.append(f"{math.fsum(cost.disk for cost in known.values()):,.0f} MB of results")
        said.append(f"{known[largest].memory:.0f} MB of memory in the largest job ({' '.join(filter(None, largest))})")
    if unknown := sorted({name[1] or name[0] for name in jobs.keys() - known.keys()}):
        said.append(f"not counted because never measured: {', '.join(unknown)}")
    return "; ".join(said)


def least_time(known: Mapping[JobName, Cost], at_once: int) -> float:
    """Return a lower bound in seconds for running these jobs `at_once` at a time: the longest chain of dependent jobs,
    or all work shared equally. A greedy schedule takes less than the sum of both (Graham 1966)."""
    return max(_longest_chain(known), math.fsum(cost.seconds for cost in known.values()) / at_once)


def _longest_chain(known: Mapping[JobName, Cost]) -> float:
    """Return the seconds of the slowest slice and, after it, the slowest chain of rules that read all slices."""
    slices, readers = Counter(), dict.fromkeys(READERS, 0.0)
    for (rule, *place), cost in known.items():
        if rule in READERS:
            readers[rule] = cost.seconds
        else:
            slices[tuple(place)] += cost.seconds
    for rule, reader in READERS.items():  # READERS lists each rule after those that it waits for
        readers[rule] += max((readers[other] for other in reader.after), default=0.0)
    return max(slices.values(), default=0.0) + max(readers.values())
