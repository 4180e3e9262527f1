"""How long jobs take on some cores: a list schedule, as a greedy scheduler makes one."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush


@dataclass(frozen=True)
class Job:
    """One job: its seconds, and the jobs that have to be done before it."""

    seconds: float
    after: frozenset[Hashable] = field(default_factory=frozenset)


def makespan(jobs: Mapping[Hashable, Job], cores: int) -> float:
    """Seconds until the last job is done, where a free core takes of the jobs that are ready the one with the most
    work behind it. By Graham (1966) no schedule is shorter than half of this.

    Raises ValueError if jobs wait for one another, or for one that there is not.
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
                raise ValueError(f"{name} waits for {before}, which is no job")
            following[before].append(name)
    behind: dict[Hashable, float] = {}
    for name in reversed(order):
        behind[name] = jobs[name].seconds + max((behind[n] for n in following[name]), default=0.0)
    rank = {name: position for position, name in enumerate(order)}  # breaks ties; names need have no order
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
