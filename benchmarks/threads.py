"""The largest duels on one thread and on several: seconds on the wall, of solving alone and of whole jobs.

solving   solve_duel, after compilation
job       the process that the workflow starts for a slice: Python and its libraries, solving, rows, Parquet

Numbers of threads take turns, and the least of several repeats counts: other programs then disturb all alike. Ratio:
one thread's seconds to theirs. Serial: the share of one thread's seconds that by Amdahl's law no thread would take off.
Only a machine that does nothing else shows what threads are worth: at every sum of a duel each waits for the slowest.
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from _measure import heading, number, table
from turn_kernel import game_of

from dicebase.configuration import read
from dicebase.find import find_table
from dicebase.games import pig
from dicebase.plan import make_slice, slice_name
from dicebase.solve.compiled import compile_turn
from dicebase.solve.duel import solve_duel

THREADS = sorted({1, 2, os.cpu_count() or 1})
PIG, TWO_DICE = compile_turn(pig.Rules()), compile_turn(pig.Rules(dice=2))
TEN_THOUSAND = compile_turn(game_of("ten_thousand_turn", {}).rules)
SOLVED = [
    *(("Pig", PIG, target) for target in (100, 200, 400)),
    *(("Pig, two dice", TWO_DICE, target) for target in (50, 100, 200)),
    *(("Ten Thousand", TEN_THOUSAND, target) for target in (1250, 2500, 5000, 10_000)),
]
JOBS = [("pig_duel", 200), ("pig_duel", 400), ("ten_thousand_duel", 5000), ("ten_thousand_duel", 10_000)]


def least(run: Callable[[int], tuple[float, ...]], repeats: int) -> list[tuple[float, ...]]:
    """What `run` measures with each number of threads: the least of every quantity."""
    found = [[run(threads) for threads in THREADS] for _ in range(repeats)]
    return [tuple(map(min, zip(*runs, strict=True))) for runs in zip(*found, strict=True)]


def on_the_wall(seconds: list[float]) -> list[str]:
    """Seconds, and for more than one thread the ratio and the serial share."""
    cells = [number(seconds[0])]
    for threads, taken in zip(THREADS[1:], seconds[1:], strict=True):
        serial = (threads * taken / seconds[0] - 1) / (threads - 1)
        cells += [number(taken), f"{seconds[0] / taken:.2f}", f"{100 * max(serial, 0):.0f}%"]
    return cells


def solving(turn, target: int) -> Callable[[int], tuple[float]]:
    """Seconds of solving."""

    def run(threads: int) -> tuple[float]:
        started = time.perf_counter()
        solve_duel(turn, target, threads=threads)
        return (time.perf_counter() - started,)

    return run


def job(name: str, target: int, folder: str) -> Callable[[int], tuple[float, float, float]]:
    """(seconds, CPU seconds, MiB) of a solve job."""
    found = find_table(name)
    definitions = read(["config/config.yaml"])["definitions"].get(found.game, {})
    variant = found.variant({"target": target}, definitions, name)
    key = make_slice(found, slice_name(variant), [variant], definitions).key

    def run(threads: int) -> tuple[float, float, float]:
        words = ["-m", "dicebase.job", "solve", json.dumps(json.loads(key)), "--results", folder, "--threads", threads]
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, *map(str, words)], stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"{name} {target}: the job failed")
        return time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024

    return run


def header(what: str) -> list[str]:
    """The columns of `on_the_wall`."""
    more = [f"{n} threads, s@ratio@serial".split("@") for n in THREADS[1:]]
    return [what, "target", "1 thread, s", *(name for names in more for name in names)]


def main() -> None:
    for turn in (PIG, TWO_DICE, TEN_THOUSAND):
        solve_duel(turn, 10 * turn.unit, threads=2)
    heading("Solving a duel: seconds on the wall")
    rows = []
    for name, turn, target in SOLVED:
        seconds = [taken for (taken,) in least(solving(turn, target), repeats=5)]
        rows.append([name, target, *on_the_wall(seconds)])
    table(header("duel"), rows)

    heading("The job that solves and writes a table: seconds on the wall; CPU seconds and MiB by number of threads")
    rows = []
    for name, target in JOBS:
        with tempfile.TemporaryDirectory() as folder:
            wall, cpu, memory = zip(*least(job(name, target, folder), repeats=3), strict=True)
        rows.append([name, target, *on_the_wall(wall), "/".join(map(number, cpu)), "/".join(map(number, memory))])
    table([*header("table"), "CPU s", "MiB"], rows)


if __name__ == "__main__":
    main()
