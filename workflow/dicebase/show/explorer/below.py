"""The ranks of one variant: the part of a table's tree (dicebase.rank) below the variant's parameters."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dicebase.catalog.row_numbers import Ranks


class Edges(NamedTuple):
    """The edges of one column; how many rows lie before them follows from the columns after it."""

    first: np.ndarray  # (nodes + 1,) int32
    label: np.ndarray  # (edges,) int32
    child: np.ndarray  # (edges,) int32, zeros in the last column


def below(ranks: Ranks, prefix: Sequence[int]) -> list[Edges]:
    """The edges of the columns after `prefix`, which some row begins with; nodes are numbered anew, the first is 0."""
    nodes = np.array([_node(ranks, prefix)])
    found = []
    for level in ranks.levels[len(prefix) :]:
        counts = level.first[nodes + 1] - level.first[nodes]
        first = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(level.first[nodes] - first[:-1], counts) + np.arange(first[-1])
        nodes, child = np.unique(level.child[edges], return_inverse=True)
        found.append(Edges(*(a.astype(np.int32) for a in (first, level.label[edges], child))))
    return found


def _node(ranks: Ranks, prefix: Sequence[int]) -> int:
    node = 0
    for level, label in zip(ranks.levels, prefix, strict=False):
        edge = bisect_left(level.label, label, int(level.first[node]), int(level.first[node + 1]))
        assert level.label[edge] == label
        node = int(level.child[edge])
    return node
