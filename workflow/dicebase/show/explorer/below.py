"""The rows of one variant: the part of a table's tree (catalog/row_numbers.py) below the variant's parameters."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dicebase.catalog.row_numbers import RowNumbers


class Edges(NamedTuple):
    """The edges of one column; how many rows lie before them follows from the columns after it."""

    first: np.ndarray  # (nodes + 1,) int32
    label: np.ndarray  # (edges,) int32
    child: np.ndarray  # (edges,) int32, zeros in the last column


def below(rows: RowNumbers, prefix: Sequence[int]) -> list[Edges]:
    """The edges of the columns after `prefix`, which some row begins with; nodes are numbered anew, the first is 0."""
    nodes = np.array([rows.descend(prefix)[2]])
    found = []
    for level in rows.levels[len(prefix) :]:
        counts = level.first[nodes + 1] - level.first[nodes]
        first = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(level.first[nodes] - first[:-1], counts) + np.arange(first[-1])
        nodes, child = np.unique(level.child[edges], return_inverse=True)
        found.append(Edges(*(a.astype(np.int32) for a in (first, level.label[edges], child))))
    return found
