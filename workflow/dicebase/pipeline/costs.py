"""What a job takes: seconds and memory of solving and certifying a slice, by a model fitted to jobs that were run.

    one variant    each + scale * product over its parameters of value ** power, exp(rate * value) or factor[value]
    seconds        start + the sum over the slice's variants
    memory         start + the largest of its variants

Variants too large for their decisions to be stored have a model of their own.

`benchmarks/tools/costs.py` fits the numbers of `workflow/costs.json` to Snakemake's benchmark files. They are of one
machine: they ask a cluster for memory and time, with a margin, and tell people what a run will take. No table depends
on them.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dicebase.pipeline.plan import Plan, Slice
from dicebase.tables.names import Variant
from dicebase.vocabulary.listing import Layout

COSTS = Path(__file__).parents[2] / "costs.json"
RULES = ("solve", "certify")  # of a slice; all others read everything
# What is asked of a cluster beyond the prediction. A job that is killed is tried again with as much once more.
MEMORY_MARGIN, LEAST_MEMORY, UNKNOWN_MEMORY = 1.5, 1000, 4000  # MB; unknown where nobody has measured
BESIDE = 400  # MB: on a cluster each job has two Snakemakes beside it
TIME_MARGIN, LEAST_TIME, UNKNOWN_TIME = 4, 10, 240  # minutes


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


def model_of(job: Slice) -> str:
    """The name of a slice's model: that of its table, or of the values that are stored instead of its decisions."""
    table = job.table
    if not table.match_class.follows_from:
        return table.name
    follows = table.build(job.variants[0], job.definitions).stored.layout is Layout.FOLLOWED
    return f"{table.name}_values" if follows else table.name


class Costs:
    """The model of every table that was measured."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.machine: str = content["machine"]
        self.measured: str = content["measured"]
        self._growths = {
            (table, rule, quantity): Growth(**numbers)
            for table, rules in content["tables"].items()
            for rule, quantities in rules.items()
            for quantity, numbers in quantities.items()
        }
        self._after: Mapping[str, Mapping[str, Mapping[str, float]]] = content["after"]

    def of_slice(self, rule: str, job: Slice) -> Cost | None:
        """What `solve` or `certify` takes of a slice; None where the table was never measured."""
        seconds, memory = (self._growths.get((model_of(job), rule, q)) for q in ("seconds", "memory"))
        if seconds is None or memory is None:
            return None
        return Cost(seconds.total(job.variants), memory.most(job.variants))

    def megabytes(self, job: Slice) -> float:
        """The size of a slice's tables and certificate; 0 where the table was never measured."""
        size = self._growths.get((model_of(job), "files", "megabytes"))
        return size.total(job.variants) if size else 0.0

    def after(self, rule: str, plan: Plan) -> Cost | None:
        """What a rule takes that reads the tables of all slices; None where it was never measured."""
        slices = plan.slices.values()
        if rule not in self._after or not all(self.of_slice("solve", job) for job in slices):
            return None
        size = {"start": 1, "megabyte": math.fsum(map(self.megabytes, slices)), "slice": len(slices)}
        seconds, memory = (
            math.fsum(per * size[what] for what, per in self._after[rule][quantity].items())
            for quantity in ("seconds", "memory")
        )
        return Cost(seconds, memory)


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
