"""Switch off Python's search for reference cycles in code that creates none, and return freed memory to the system."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL

# PyArrow reads this when it loads. Its own allocators keep most of the memory that a table no longer needs.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Run a block without the collector, which would take more than half the time of a certificate."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def return_memory() -> None:
    """Return freed memory to the system, because following steps need blocks of other sizes."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with suppress(AttributeError):  # only glibc has this function
        CDLL(None).malloc_trim(0)
