"""What a long run says on its way."""

import sys
import time
from collections.abc import Callable


def reporter(what: str, every: float = 5.0) -> Callable[[int, int], None]:
    """A function of (done, total) that says so on standard error, every few seconds; total 0 is not known."""
    said = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal said
        if (now := time.monotonic()) - said >= every:
            said = now
            print(f"{what} {done}{f' of {total}' if total else ''}", file=sys.stderr)

    return report
