"""One measurement in its own process: `worker.py PEER PROBLEM SIZE FILE`, called by run.py.

The worker first solves the smallest size, to compile kernels; then the limits of time and memory apply. It writes times
and memory to standard output as JSON, and the values to FILE.
"""

import json
import os
import resource
import signal
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np
from catalogue import PROBLEM_SIZES

# The kernel of one turn in benchmarks/, and the reference solvers in tests/, are measured too.
sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "tests")]


def resident(what: str = "VmHWM") -> float:
    """Return the peak resident set of this process in MB, or another line of its status."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024e-6 for line in status if line.startswith(what))


def timed(function, *given):
    """Return (result, wall seconds, CPU seconds) of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = function(*given)
    return found, time.perf_counter() - wall, time.process_time() - cpu


def again(function, given, enough: float, wall: float, cpu: float) -> tuple[float, float]:
    """Return wall and CPU seconds of one call, averaged over several calls if one is too short to measure."""
    calls = int(enough / max(wall, 1e-5))
    if not calls:
        return wall, cpu
    _, wall, cpu = timed(lambda: [function(*given) for _ in range(calls)] and None)
    return wall / calls, cpu / calls


def main(peer: str, problem: str, size: int, file: str) -> None:
    seconds, megabytes, enough = (float(os.environ[name]) for name in ("PEERS_SECONDS", "PEERS_MB", "PEERS_REPEAT"))
    adapter, load, _ = timed(import_module, f"adapters.{peer}")
    least = PROBLEM_SIZES[problem][0]
    _, warm, _ = timed(lambda: adapter.solve(problem, adapter.build(problem, least)))
    before = resident()
    signal.setitimer(signal.ITIMER_PROF, seconds)  # CPU seconds; the unhandled signal ends the process
    # The limit applies to address space, and libraries reserve more of it than they use.
    limit = int(1e6 * (megabytes + resident("VmSize") - resident("VmRSS")))
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    built, build_wall, build_cpu = timed(adapter.build, problem, size)
    values, solve_wall, solve_cpu = timed(adapter.solve, problem, built)
    signal.setitimer(signal.ITIMER_PROF, 0)
    peak = resident()
    solve_wall, solve_cpu = again(adapter.solve, (problem, built), enough, solve_wall, solve_cpu)
    build_wall, build_cpu = again(adapter.build, (problem, size), enough, build_wall, build_cpu)
    np.save(file, np.asarray(values, dtype=float))
    found = {"load": load, "warm": warm, "build": build_wall, "build_cpu": build_cpu}
    found |= {"solve": solve_wall, "solve_cpu": solve_cpu, "before": before, "peak": peak}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
