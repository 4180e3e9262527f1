"""The rows of one variant as a tree, and blocks: compressed files of arrays that a browser reads whole.

A block is the gzip of: the length of the header (4 bytes, little-endian), the header as JSON {meta, columns: [{name,
type, length, steps, listed}]}, then the columns. A column's bytes are transposed (all first bytes of its numbers, then
all second ones), because the exponents of doubles compress and their last digits do not. With `steps` a column holds
differences. A column of repeating doubles holds its `listed` distinct values, then the index of each number in the
smallest of one, two or four bytes.
"""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dicebase.catalog.rows.records_writer import bits, once, places
from dicebase.catalog.rows.row_numbers import Level, RowNumbers
from dicebase.vocabulary.arithmetic.ranges import ranges

TYPES = {"<f8", "<i4", "<u2", "|u1"}


def write_block(path: Path, meta: Mapping[str, Any], columns: Mapping[str, np.ndarray]) -> int:
    """Write a block, with 32-bit integers as steps; returns the size of the columns in bytes."""
    described, parts = [], []
    for name, column in columns.items():
        column = np.ascontiguousarray(column)
        assert column.dtype.str in TYPES, f"{name}: {column.dtype.str}"
        steps = column.dtype.kind == "i"
        said = {"name": name, "type": column.dtype.str[1:], "length": len(column), "steps": steps, "listed": 0}
        if column.dtype.kind == "f":
            listed = once(bits(column))
            if 2 * len(listed) < len(column):
                said["listed"] = len(listed)
                parts.append((listed, False))
                column = places(column, listed).astype(
                    next(kind for kind in (np.uint8, np.uint16, np.int32) if len(listed) <= np.iinfo(kind).max)
                )
        described.append(said)
        parts.append((column, steps))
    header = json.dumps({"meta": dict(meta), "columns": described}, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without a timestamp, equal rows give equal bytes. Column by column, millions of moves need little memory.
    with path.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as block:
        block.write(len(header).to_bytes(4, "little") + header)
        for column, steps in parts:
            block.write(_transposed(np.diff(column, prepend=column.dtype.type(0)) if steps else column))
    return sum(column.nbytes for column, _ in parts)


def _transposed(column: np.ndarray) -> bytes:
    return column.view(np.uint8).reshape(len(column), column.itemsize).T.tobytes()


class Edges(NamedTuple):
    """The edges of the tree for one column."""

    first: np.ndarray  # (nodes + 1,) int32
    label: np.ndarray  # (edges,) int32
    child: np.ndarray  # (edges,) int32, zeros in the last column


def below(rows: RowNumbers, prefix: Sequence[int]) -> list[Edges]:
    """Return the edges of a table's tree (catalog/rows/row_numbers.py) below `prefix`, the beginning of some key.

    Nodes are renumbered from 0."""
    nodes = np.array([rows.descend(prefix)[2]])
    found = []
    for level in (Level(*map(np.asarray, level)) for level in rows.levels[len(prefix) :]):
        counts = level.first[nodes + 1] - level.first[nodes]
        first = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(level.first[nodes] - first[:-1], counts) + np.arange(first[-1])
        nodes, child = np.unique(level.child[edges], return_inverse=True)
        found.append(Edges(*(a.astype(np.int32) for a in (first, level.label[edges], child))))
    return found


def columns_of(tree: Mapping[str, np.ndarray], count: int) -> list[np.ndarray]:
    """Return the columns of all rows below the root of a tree, each (rows,), from the arrays `first_0`, `label_0`,
    `child_0`, `first_1` ... of `count` levels of Edges."""
    nodes, columns = np.zeros(1, int), []
    for i in range(count):
        first = tree[f"first_{i}"]
        _, edges = ranges(first[nodes], first[nodes + 1])
        columns = [np.repeat(column, np.diff(first)[nodes]) for column in columns]
        columns.append(tree[f"label_{i}"][edges])
        nodes = tree[f"child_{i}"][edges]
    return columns
