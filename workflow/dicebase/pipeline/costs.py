"""What a job takes: seconds and memory of solving and certifying a slice, by a model fitted to jobs that were run; and
what a run will take, said before it begins. docs/scale/scale.md has the model; no table depends on it.

Variants too large for their decisions to be stored, and those stored by the starts of turns, have models of their own.
`benchmarks/tools/costs.py` fits the numbers of `costs.json` to what the logs of jobs say.
"""

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dicebase.pipeline.plan import READERS, Plan, Slice
from dicebase.tables.names import Variant
from dicebase.vocabulary import STARTS, Json, Layout
from dicebase.vocabulary.progress import duration

COSTS = Path(__file__).parent / "costs.json"
QUANTITIES = ("seconds", "memory", "megabytes")
RULES = ("solve", "certify")  # of a slice; all others read everything
# What is asked of a cluster beyond the prediction. A job that is killed is tried again with as much once more.
MEMORY_MARGIN, LEAST_MEMORY, UNKNOWN_MEMORY = 1.5, 1000, 4000  # MB; unknown where nobody has measured
STARTED = 150  # MB of a job that does nothing yet
BESIDE = 400  # MB: on a cluster each job has two Snakemakes beside it
TIME_MARGIN, LEAST_TIME, UNKNOWN_TIME = 4, 10, 240  # minutes

JobName = tuple[str, str, str]
"""(rule, table, slice); the latter two empty for a rule that reads all tables."""


@dataclass(frozen=True)
class Growth:
    """How a quantity of a job grows with the parameters of its variants."""

    start: float
    scale: float
    each: float = 0.0
    powers: Mapping[str, float] = field(default_factory=dict)  # value ** power
    rates: Mapping[str, float] = field(default_factory=dict)  # exp(rate * value)
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # of words; another one has the largest

    def of_variant(self, variant: Variant) -> float:
        """Of one variant, beyond the start."""
        log = math.log(self.scale)
        log += sum(power * math.log(max(variant[name], 1)) for name, power in self.powers.items())
        log += sum(rate * variant[name] for name, rate in self.rates.items())
        log += sum(math.log(f.get(variant[name], max(f.values()))) for name, f in self.factors.items())
        return self.each + math.exp(min(log, 700.0))

    def total(self, variants: Iterable[Variant]) -> float:
        """Of a job that treats its variants one after another and adds up, such as seconds."""
        return self.start + math.fsum(map(self.of_variant, variants))

    def most(self, variants: Iterable[Variant]) -> float:
        """Of a job that treats its variants one after another and keeps none, such as memory."""
        return self.start + max(map(self.of_variant, variants))


@dataclass(frozen=True)
class Cost:
    """What a job is predicted to take on one core of the machine of the model."""

    seconds: float
    memory: float  # MB, the largest resident set
    disk: float  # MB, of its files


def model_of(job: Slice) -> str:
    """The name of a slice's model: that of its table, or of what is stored instead of all its rows."""
    table = job.table
    if job.store == STARTS:
        return f"{table.name}_{STARTS}"
    if not table.match_class.follows_from:
        return table.name
    follows = table.build(job.variants[0], job.definitions).stored.layout is Layout.FOLLOWED
    return f"{table.name}_values" if follows else table.name


def least_memory(job: Slice) -> float:
    """MB that a job takes by the sizes of what its variants list, measured or not."""
    return STARTED + max(v["bytes"] for v in job.sized) / 10**6


def memory_here() -> float:
    """MB of memory that this machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 10**6


class Costs:
    """The model of every table that was measured."""

    def __init__(self, content: Json) -> None:
        self._growths = {
            (table, rule, quantity): Growth(**numbers)
            for table, rules in content["tables"].items()
            for rule, quantities in rules.items()
            for quantity, numbers in quantities.items()
        }
        self._after: Mapping[str, Mapping[str, Mapping[str, float]]] = content["after"]

    def of_slice(self, rule: str, job: Slice) -> Cost | None:
        """What `solve` or `certify` takes of a slice, the files of both counted with `solve`; None where the table was
        never measured."""
        model = model_of(job)
        seconds, memory = (self._growths.get((model, rule, quantity)) for quantity in ("seconds", "memory"))
        if seconds is None or memory is None:
            return None
        variants = job.sized
        files = self._growths[model, "files", "megabytes"].total(variants) if rule == "solve" else 0.0
        # What was measured says little of what is a hundred times larger.
        return Cost(seconds.total(variants), max(memory.most(variants), least_memory(job)), files)

    def after(self, rule: str, plan: Plan) -> Cost | None:
        """What a rule takes that reads the tables of all slices; None where it was never measured."""
        solved = [self.of_slice("solve", job) for job in plan.slices.values()]
        if rule not in self._after or not all(solved):
            return None
        size = {"start": 1, "megabyte": math.fsum(cost.disk for cost in solved), "slice": len(solved)}
        terms = self._after[rule]
        return Cost(*(math.fsum(per * size[what] for what, per in terms[quantity].items()) for quantity in QUANTITIES))

    def of(self, plan: Plan, names: Iterable[JobName]) -> dict[JobName, Cost | None]:
        """What jobs of a plan take."""
        return {
            (rule, *place): self.of_slice(rule, plan.find(*place)) if all(place) else self.after(rule, plan)
            for rule, *place in names
        }


def job_name(rule: str, wildcards: Mapping[str, str]) -> JobName:
    """Of a job as Snakemake has it, which has a rule `solve` for each kind of files."""
    return rule.split("_")[0], wildcards.get("table", ""), wildcards.get("slice", "")


def mem_mb(cost: Cost | None, attempt: int) -> int:
    """The memory to ask for, in MB; of a job that was killed, the more the more often."""
    asked = max(LEAST_MEMORY, BESIDE + MEMORY_MARGIN * cost.memory) if cost else UNKNOWN_MEMORY
    return math.ceil(asked) * attempt


def runtime(cost: Cost | None, attempt: int) -> int:
    """The time to ask for, in minutes."""
    asked = max(LEAST_TIME, TIME_MARGIN * cost.seconds / 60) if cost else UNKNOWN_TIME
    return math.ceil(asked) * attempt


def read_costs(path: Path = COSTS) -> Costs:
    """The model that belongs to this version of dicebase."""
    return Costs(json.loads(path.read_text(encoding="utf-8")))


def all_jobs(plan: Plan) -> list[JobName]:
    """Every job of a plan, as if nothing were there yet."""
    return [(rule, *place) for place in plan.slices for rule in RULES] + [(rule, "", "") for rule in READERS]


def estimate(jobs: Mapping[JobName, Cost | None], at_once: int) -> str:
    """What these jobs will take, each of a thread on the machine of the model: how many they are, how long with
    `at_once` at a time, how much room on the disk, the memory of the largest; and what was never measured."""
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
        said.append(f"not counted, as never measured: {', '.join(unknown)}")
    return "; ".join(said)


def least_time(known: Mapping[JobName, Cost], at_once: int) -> float:
    """The least seconds that jobs can take, so many at a time: the longest chain of those that wait for one another, or
    all work shared. A greedy schedule takes less than both together (Graham 1966)."""
    return max(_longest_chain(known), math.fsum(cost.seconds for cost in known.values()) / at_once)


def _longest_chain(known: Mapping[JobName, Cost]) -> float:
    """Seconds of the jobs of a slice, and then of readers that wait for one another."""
    slices, readers = Counter(), dict.fromkeys(READERS, 0.0)
    for (rule, *place), cost in known.items():
        if rule in READERS:
            readers[rule] = cost.seconds
        else:
            slices[tuple(place)] += cost.seconds
    for rule, reader in READERS.items():  # in an order in which each stands behind those that it waits for
        readers[rule] += max((readers[other] for other in reader.after), default=0.0)
    return max(slices.values(), default=0.0) + max(readers.values())
