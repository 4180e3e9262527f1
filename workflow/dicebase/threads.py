"""Several threads in one job. Compiled kernels, NumPy's loops and Arrow's writers let other threads run meanwhile."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def side_by_side(pool: Executor, function: Callable[..., T], *columns: Iterable) -> list[T]:
    """As `map`, with the first call made here and the others in the pool: a single one does not use it."""
    first, *others = zip(*columns, strict=True)
    waiting = [pool.submit(function, *arguments) for arguments in others]
    return [function(*first), *(call.result() for call in waiting)]


def ahead(parts: Iterator[T], threads: int) -> Iterator[T]:
    """The same parts; with more than one thread the next is made while one is used. There are never more than two."""
    if threads == 1:
        yield from parts
        return
    with ThreadPoolExecutor(1) as pool:
        # The first is made here, however long it takes: an interrupt does not wait for it.
        part = next(parts, None)
        while part is not None:
            coming = pool.submit(next, parts, None)
            yield part
            part = coming.result()
