"""Shared by the benchmarks: CPU time and a small table. Other programs disturb CPU time less than wall-clock time, and
the minimum of several repeats less than their mean."""

import gc
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

gc.disable()  # as in the jobs of the workflow
sys.path.append(str(Path(__file__).parents[1] / "tests"))  # some benchmarks measure the tests' reference solvers


def cpu_seconds(function: Callable[[], object], repeats: int = 5, at_least: float = 0.02) -> float:
    """Return the CPU seconds of one call: the least mean of `repeats` runs of at least `at_least` seconds each."""
    calls = 1
    while (taken := _run(function, calls)) < at_least:
        calls *= 2
    return min([taken, *(_run(function, calls) for _ in range(repeats - 1))]) / calls


def _run(function: Callable[[], object], calls: int) -> float:
    started = time.process_time()
    for _ in range(calls):
        function()
    return time.process_time() - started


class Taken(NamedTuple):
    """The time and memory of a workflow job, from the end of its log."""

    seconds: float
    cpu: float
    megabytes: float


def taken(log: Path) -> Taken:
    """Return what a successful job took."""
    said = re.findall(r"^took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB$", log.read_text(encoding="utf-8"), re.MULTILINE)
    return Taken(*map(float, said[-1]))


def heading(title: str) -> None:
    """Print what is measured, where and when."""
    print(f"{title}\n{os.cpu_count()} cores, Python {platform.python_version()}, {date.today()}\n")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print aligned columns: the first to the left, numbers to the right."""
    texts = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in texts) for i in range(len(header))]
    for row in texts:
        first, *others = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    print()


def number(value: float) -> str:
    """Return three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
