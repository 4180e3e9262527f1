"""Runs of the workflow that benchmarks measure: seconds, CPU seconds of all processes, and memory.

The peak of the tree is the largest sampled sum of proportional set sizes (shared pages divided among the processes that
share them). Kernels are compiled anew in each folder, as on a new machine.
"""

import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "all"]
SNAKEMAKE += ["--workflow-profile", str(ROOT / "workflow/profiles/default"), "--quiet", "rules", "progress"]
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
