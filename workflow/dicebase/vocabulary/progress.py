"""What a long run says on its way."""

import sys
import time
from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Told (done, total) now and then; total 0 is not known."""


def silent(done: int, total: int) -> None:
    """Say nothing."""


def reporter(what: str, every: float = 5.0) -> Progress:
    """Say so on standard error, every few seconds."""
    said = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal said
        if (now := time.monotonic()) - said >= every:
            said = now
            print(f"{what} {done}{f' of {total}' if total else ''}", file=sys.stderr)

    return report
