"""Progress reports of long runs."""

import sys
import time
from collections.abc import Callable

Progress = Callable[..., object]
"""Called now and then with (done, total), and the seconds left if known; total 0 means unknown."""


def silent(done: int, total: int, left: float | None = None) -> None:
    """Report nothing."""


def reporter(what: str, every: float = 5.0) -> Progress:
    """Return a function that reports progress on standard error, at most once in `every` seconds, with the time left.
    If the caller does not know it, it follows from the pace since the first report, or since `done` last began again;
    what happened before, such as compiling kernels, does not count."""
    begun = said = time.monotonic()
    first, before = None, 0

    def report(done: int, total: int, left: float | None = None) -> None:
        nonlocal begun, said, first, before
        now = time.monotonic()
        if first is None or done < before:
            begun, first = now, done
        before = done
        if now - said >= every:
            said = now
            if left is None and total and done > first:
                left = (now - begun) * (total - done) / (done - first)
            soon = "" if left is None else f", about {duration(left)} left"
            print(f"{what} {done}{f' of {total}' if total else ''}{soon}", file=sys.stderr)

    return report


def duration(seconds: float) -> str:
    """A duration as people say it: 40 s, 12 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
