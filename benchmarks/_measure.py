"""What the benchmarks share: CPU time and a small table. Other programs disturb CPU time less than time on the wall,
and the least of several repeats less than their mean."""

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
sys.path.append(str(Path(__file__).parents[1] / "tests"))  # whose references are measured as well


def cpu_seconds(function: Callable[[], object], repeats: int = 5, at_least: float = 0.02) -> float:
    """CPU seconds of one call: the least mean of `repeats` runs, each of as many calls as take `at_least` seconds."""
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
    """What a job of the workflow took, as the end of its log says."""

    seconds: float
    cpu: float
    megabytes: float


def taken(log: Path) -> Taken:
    """Of a job that ended well."""
    said = re.findall(r"^took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB$", log.read_text(encoding="utf-8"), re.MULTILINE)
    return Taken(*map(float, said[-1]))


def heading(title: str) -> None:
    """What is measured, where and when."""
    print(f"{title}\n{os.cpu_count()} cores, Python {platform.python_version()}, {date.today()}\n")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Columns under each other, the first to the left and numbers to the right."""
    texts = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in texts) for i in range(len(header))]
    for row in texts:
        first, *others = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([first.strip().ljust(widths[0]), *others]).rstrip())
    print()


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
