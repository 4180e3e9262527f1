"""Pack rows of numbers into few bytes: unsigned integers in the smallest type that holds them; doubles and signed
integers that repeat, such as the values of common successors, as indices into a list of the distinct ones."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

AT_ONCE, WRITTEN = 2**20, 2**16  # rows to look for distinct numbers in, and to write


LISTED = ("d", "q")


def pack(path: Path, kinds: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str, str, int]], np.ndarray]:
    """Pack a file of rows in place; return (Fields of records.py, the lists). `kinds` are (name, NumPy type code). The
    codes of LISTED may repeat, the others are unsigned. A signed field that is 0 everywhere is left out."""
    rows = np.memmap(path, np.dtype(list(kinds)), "r")
    parts = _parts(rows, AT_ONCE)
    lists = {name: _different(parts, name, len(rows)) for name, kind in kinds if kind in LISTED}
    fields = [
        (name, kind, _kind(parts, name, kind, lists.get(name)), len(lists.get(name, ())))
        for name, kind in kinds
        if kind != "q" or lists[name].tolist() != [0]
    ]
    with open(path.with_suffix(".packed"), "wb") as file:
        for part in _parts(rows, WRITTEN):
            packed = np.empty(len(part), [(name, kind) for name, _, kind, _ in fields])
            for name, _, _, listed in fields:
                packed[name] = places(part[name], lists[name]) if listed else part[name]
            file.write(packed)  # unlike tofile, write raises an error if the disk is full
    path.with_suffix(".packed").replace(path)
    return fields, np.concatenate([np.empty(0, np.int64), *(lists[name] for name, *_, listed in fields if listed)])


def _parts(rows: np.ndarray, size: int) -> list[np.ndarray]:
    """Return the rows in parts of `size` or fewer."""
    return [rows[low:high] for low, high in pairwise([*range(0, len(rows), size), len(rows)])]


def _different(parts: list[np.ndarray], name: str, rows: int) -> np.ndarray:
    """Return the distinct numbers of a column as sorted bit patterns (so 0 and -0 differ); empty if a list of them
    would save less than a quarter of the bytes."""
    found = np.empty(0, np.int64)
    for part in parts:
        found = once(np.concatenate([found, once(bits(part[name]))]))
        if 8 * len(found) > (6 - _smallest(len(found)).itemsize) * rows:
            return np.empty(0, np.int64)
    return found


def _kind(parts: list[np.ndarray], name: str, kind: str, listed: np.ndarray | None) -> str:
    if listed is None:
        return _smallest(1 + max(int(part[name].max()) for part in parts)).char
    return _smallest(len(listed)).char if len(listed) else kind


def _smallest(numbers: int) -> np.dtype:
    """Return the smallest type that holds the integers from 0 to numbers - 1."""
    return np.dtype(next(kind for kind in "BHIQ" if numbers <= 2 ** (8 * np.dtype(kind).itemsize)))


def places(column: np.ndarray, listed: np.ndarray) -> np.ndarray:
    """Return the index of each number in `listed`, a sorted array of bit patterns."""
    encoded = pa.array(bits(column)).dictionary_encode()
    return np.searchsorted(listed, encoded.dictionary.to_numpy())[encoded.indices.to_numpy()]


def once(numbers: np.ndarray) -> np.ndarray:
    """Return the distinct numbers, sorted; sorts its argument. `numpy.unique` takes twenty times as long."""
    numbers.sort()
    return numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(numbers)]]


def bits(column: np.ndarray) -> np.ndarray:
    """Return a copy of 8-byte numbers as their bit patterns, which tell 0 and -0 apart."""
    return np.array(column).view(np.int64)
