"""What a run will take, said before it begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dicebase.pipeline.costs import RULES, Cost, Costs
from dicebase.pipeline.plan import Plan
from dicebase.pipeline.readers import READERS
from dicebase.pipeline.schedule import Job, makespan

JobName = tuple[str, str, str]
"""(rule, table, slice); the latter two empty for a rule that reads all tables."""


def all_jobs(plan: Plan) -> list[JobName]:
    """Every job of a plan, as if nothing were there yet."""
    return [(rule, *place) for place in plan.slices for rule in RULES] + [(rule, "", "") for rule in READERS]


@dataclass(frozen=True)
class Estimate:
    """What some jobs will take, each of a thread on the machine of the model."""

    jobs: int
    at_once: int
    seconds: float  # from the first to the last, so many of them at once
    work: float  # seconds, one after another
    memory: float  # MB, of the largest
    largest: str  # the job that needs them; empty if none was measured
    megabytes: float  # of tables
    unknown: tuple[str, ...]  # tables and rules never measured, whose jobs are not counted


def estimate(costs: Costs, plan: Plan, names: Sequence[JobName], at_once: int) -> Estimate:
    """What these jobs will take, `at_once` of them at a time."""
    found = {name: _cost(costs, plan, name) for name in names}
    known = {name: cost for name, cost in found.items() if cost}
    jobs = {name: Job(cost.seconds, frozenset(_before(name, known))) for name, cost in known.items()}
    largest = max(known, key=lambda name: known[name].memory, default=())
    return Estimate(
        jobs=len(names),
        at_once=at_once,
        seconds=makespan(jobs, at_once),
        work=sum(cost.seconds for cost in known.values()),
        memory=known[largest].memory if largest else 0.0,
        largest=" ".join(word for word in largest if word),
        megabytes=sum(costs.megabytes(plan.find(*place)) for rule, *place in known if rule == "solve"),
        unknown=tuple(sorted({name[1] or name[0] for name in found.keys() - known.keys()})),
    )


def _cost(costs: Costs, plan: Plan, name: JobName) -> Cost | None:
    rule, table, slice_name = name
    return costs.of_slice(rule, plan.find(table, slice_name)) if table else costs.after(rule, plan)


def _before(name: JobName, known: Iterable[JobName]) -> Iterable[JobName]:
    """The jobs among `known` that have to be done before this one."""
    rule, *place = name
    if rule in READERS:
        return [other for other in known if other[0] == "certify" or other[0] in READERS[rule].after]
    solved = ("solve", *place)
    return [solved] if rule == "certify" and solved in known else []


def estimate_text(e: Estimate) -> str:
    """One line: how many jobs, how long, the memory of the largest, the size of the tables."""
    said = [f"{_count(e.jobs, 'job')}: about {duration(e.seconds)} with {_count(e.at_once, 'job')} at a time"]
    said.append(f"{duration(e.work)} of work")
    if e.largest:
        said.append(f"{e.memory:.0f} MB in the largest job ({e.largest})")
    if e.megabytes:
        said.append(f"{e.megabytes:.0f} MB of tables")
    if e.unknown:
        said.append(f"not counted, as never measured: {', '.join(e.unknown)}")
    return "; ".join(said)


def duration(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
