"""Shared parts of the benchmarks: CPU time and small tables. Other programs disturb CPU time less than wall time, and
the minimum of several runs less than their mean."""

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

gc.disable()  # as the jobs of the workflow do
sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the reference solvers there are measured too


def cpu_seconds(function: Callable[[], object], repeats: int = 5, at_least: float = 0.02) -> float:
    """Return the CPU seconds of one call: the minimum over `repeats` runs, each of at least `at_least` seconds."""
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
    """The resources that a job of the workflow used, from the end of its log."""

    seconds: float
    cpu: float
    megabytes: float


def taken(log: Path) -> Taken:
    """Return the resources that a successful job used."""
    said = re.findall(r"^took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB$", log.read_text(encoding="utf-8"), re.MULTILINE)
    return Taken(*map(float, said[-1]))


def heading(title: str) -> None:
    """Print a title with the machine and the date."""
    print(f"{title}\n{os.cpu_count()} cores, Python {platform.python_version()}, {date.today()}\n")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print aligned columns: the first aligned left, the others aligned right."""
    texts = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in texts) for i in range(len(header))]
    for row in texts:
        first, *others = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    print()


def number(value: float) -> str:
    """Return a number as text with three significant digits and no exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
