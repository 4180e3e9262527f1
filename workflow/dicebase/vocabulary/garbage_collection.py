"""Python's search for reference cycles, left out where there are none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Millions of small tuples, and no cycles: the collector would take more than half the time of a certificate."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
