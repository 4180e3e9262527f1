"""Rows of numbers in as few bytes as they need: whole numbers as small as they are, and others that come again and
again, as the worth of what an action leads to, as their places in a list of the different ones."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

AT_ONCE = 2**20  # rows


def pack(path: Path, kinds: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str, int]], np.ndarray]:
    """Packs a file of rows with these fields, `d` or a kind of whole numbers: (Fields of records.py, the lists)."""
    rows = np.memmap(path, np.dtype(list(kinds)), "r")
    parts = [rows[low:high] for low, high in pairwise([*range(0, len(rows), AT_ONCE), len(rows)])]
    lists = {name: _different(parts, name, len(rows)) for name, kind in kinds if kind == "d"}
    fields = [(name, _kind(parts, name, lists.get(name)), len(lists.get(name, ()))) for name, _ in kinds]
    with open(path.with_suffix(".packed"), "wb") as file:
        for part in parts:
            packed = np.empty(len(part), [(name, kind) for name, kind, _ in fields])
            for name, _, listed in fields:
                packed[name] = places(part[name], lists[name]) if listed else part[name]
            file.write(packed)  # which says when the disk is full, as tofile does not
    path.with_suffix(".packed").replace(path)
    return fields, np.concatenate([np.empty(0, np.int64), *lists.values()])


def _different(parts: list[np.ndarray], name: str, rows: int) -> np.ndarray:
    """The different numbers of a column, as bits (NaN is one, 0 and -0 are two), in order; none where a list of them
    saves less than a quarter."""
    found = np.empty(0, np.int64)
    for part in parts:
        found = once(np.concatenate([found, once(bits(part[name]))]))
        if 8 * len(found) > (6 - _smallest(len(found)).itemsize) * rows:
            return np.empty(0, np.int64)
    return found


def _kind(parts: list[np.ndarray], name: str, listed: np.ndarray | None) -> str:
    if listed is None:
        return _smallest(1 + max(int(part[name].max()) for part in parts)).char
    return _smallest(len(listed)).char if len(listed) else "d"


def _smallest(numbers: int) -> np.dtype:
    """The smallest type of so many numbers from 0 on."""
    return np.dtype(next(kind for kind in "BHIQ" if numbers <= 2 ** (8 * np.dtype(kind).itemsize)))


def places(column: np.ndarray, listed: np.ndarray) -> np.ndarray:
    """Where each number is among the different ones, which are given as bits."""
    encoded = pa.array(bits(column)).dictionary_encode()
    return np.searchsorted(listed, encoded.dictionary.to_numpy())[encoded.indices.to_numpy()]


def once(numbers: np.ndarray) -> np.ndarray:
    """The different ones, in order: NumPy's own `unique` takes twenty times as long."""
    numbers.sort()
    return numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(numbers)]]


def bits(column: np.ndarray) -> np.ndarray:
    """A copy of doubles as whole numbers: 0 and -0 are two."""
    return np.array(column).view(np.int64)
