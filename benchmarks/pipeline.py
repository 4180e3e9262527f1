"""The workflow on the default grid in a new folder: planning, building, running with nothing to do; and a lookup.

CPU includes every child process. The peak of the tree is the largest sampled sum of proportional set sizes (shared
pages divided among the processes that share them). Memory and CPU seconds of a job come from its log and exclude
starting the process. The first build compiles the kernels, as on a new machine.
"""

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path

import psutil
from _measure import heading, number, table, taken

ROOT = Path(__file__).resolve().parents[1]
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "all"]
SNAKEMAKE += ["--workflow-profile", str(ROOT / "workflow/profiles/default"), "--quiet", "rules", "progress"]
DICEBASE = Path(sys.executable).with_name("dicebase")
SAMPLE = 0.2  # seconds between samples


def run(command: list, folder: Path) -> tuple[float, float, float]:
    """Run a command; return its wall seconds, its CPU seconds, and the peak memory of its process tree in MB."""
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(folder / ".snakemake/numba"),
        "XDG_CACHE_HOME": str(folder / ".snakemake/cache"),
    }
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(psutil.Process(process.pid), peak))
    watcher.start()
    output, _ = process.communicate()
    wall = time.perf_counter() - started
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{command}: failed\n{output}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak[0]


def watch(process: psutil.Process, peak: list[float]) -> None:
    """Record in `peak` the largest memory of a process and its descendants, until the process ends."""
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        total = 0
        for one in [process, *process.children(recursive=True)]:
            try:
                total += one.memory_full_info().pss
            except psutil.Error:
                continue
        peak[0] = max(peak[0], total / 1e6)
        time.sleep(SAMPLE)


def least(command: list, folder: Path, repeats: int) -> tuple[float, float, float]:
    """Return the minimum wall and CPU seconds over several runs, and the maximum memory."""
    wall, cpu, memory = zip(*(run(command, folder) for _ in range(repeats)), strict=True)
    return min(wall), min(cpu), max(memory)


def jobs(results: Path) -> list[list[object]]:
    """Return rows by rule and table: number of jobs, seconds, CPU seconds, and the largest resident set of a job."""
    found = defaultdict(list)
    for path in sorted((results / "logs").rglob("*.log")):
        found[path.relative_to(results / "logs").with_suffix("").parts[:2]].append(taken(path))
    return [
        [
            " ".join(place),
            len(rows),
            number(sum(r.seconds for r in rows)),
            number(sum(r.cpu for r in rows)),
            number(max(r.megabytes for r in rows)),
        ]
        for place, rows in found.items()
    ]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "config").symlink_to(ROOT / "config")
        lookup = [DICEBASE, "lookup", "ten_thousand_turn", "turn_total=300", "roll=11355"]
        measured = [["plan: snakemake -n, nothing built", *least([*SNAKEMAKE, "-n"], folder, 3)]]
        measured.append(["build the default grid from nothing", *run(SNAKEMAKE, folder)])
        measured.append(["plan: snakemake -n, all built", *least([*SNAKEMAKE, "-n"], folder, 3)])
        measured.append(["run with nothing to do", *least(SNAKEMAKE, folder, 3)])
        measured.append(["dicebase lookup in a new process", *least(lookup, folder, 10)])
        heading("The default grid: seconds and MB")
        table(["what", "wall", "CPU", "peak of tree"], [[what, *map(number, figures)] for what, *figures in measured])
        heading("Its jobs, from their logs: seconds and MB")
        table(["rule and table", "jobs", "seconds", "CPU", "largest job"], jobs(folder / "results"))
        sizes = [
            [part, number(sum(f.stat().st_size for f in (folder / "results" / part).rglob("*") if f.is_file()) / 1e6)]
            for part in ("tables", "certificates")
        ]
        sizes.append(["dicebase.duckdb", number((folder / "results/dicebase.duckdb").stat().st_size / 1e6)])
        heading("What it leaves: MB")
        table(["results/", "size"], sizes)


if __name__ == "__main__":
    main()
