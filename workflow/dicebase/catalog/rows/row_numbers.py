"""Compute the number of a state's row among the sorted rows of its table.

The key columns of sorted rows form a tree: a node has an edge for each value of the next column, and an edge stores how
many of its node's rows precede it. The row number of a key is the sum of these counts along its path. Merging nodes
with equal edges gives the minimal acyclic automaton of the keys, an order-preserving minimal perfect hash (C. Lucchesi
and T. Kowaltowski 1993). A lookup costs one bisection per column. Turns look alike at every pair of totals, so the 19
million rows of a duel of Ten Thousand need about 50,000 edges. A single lookup does not import NumPy.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

MANY = 2**22  # places in the direct table of a level, 16 MB; a level with more is searched


class Level(NamedTuple):
    """The nodes of one column; the edges of a node are consecutive, in order of their labels."""

    first: Sequence[int]  # (nodes + 1,) first edge of each node
    label: Sequence[int]  # (edges,) value of the column
    before: Sequence[int]  # (edges,) number of the node's rows that precede the edge
    rows: Sequence[int]  # (edges,) number of rows of the edge
    child: Sequence[int]  # (edges,) node in the next level


class RowNumbers:
    """Maps keys, which have an integer per column, to row numbers."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels = tuple(levels)

    def __len__(self) -> int:
        return int(self.levels[0].before[-1] + self.levels[0].rows[-1]) if self.levels else 1

    def number(self, key: Sequence[int]) -> int:
        """Return the row of a key; -1 if there is none."""
        row, rows = self.span(key)
        return row if rows else -1

    def span(self, prefix: Sequence[int]) -> tuple[int, int]:
        """Return (first row, number of rows) of the keys that begin with `prefix`; (-1, 0) if there are none."""
        return self.descend(prefix)[:2]

    def following(self, prefix: Sequence[int]) -> list[int]:
        """Return the values of the next column in keys that begin with `prefix`, which must be shorter than a key."""
        _, rows, node = self.descend(prefix)
        level = self.levels[len(prefix)]
        return level.label[level.first[node] : level.first[node + 1]].tolist() if rows else []

    def descend(self, prefix: Sequence[int]) -> tuple[int, int, int]:
        """Return (first row, number of rows, node in the next level) of the keys that begin with `prefix`; (-1, 0, -1)
        if there are none."""
        row, node, rows = 0, 0, len(self) if not prefix else 0
        for level, label in zip(self.levels, prefix, strict=False):
            low, high = int(level.first[node]), int(level.first[node + 1])
            edge = bisect_left(level.label, label, low, high)
            if edge == high or level.label[edge] != label:
                return -1, 0, -1
            row += int(level.before[edge])
            node, rows = int(level.child[edge]), int(level.rows[edge])
        return row, rows, node

    def numbers(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the rows of n keys, shape (n,), with -1 for a missing key; `columns` are int64 arrays (n,)."""
        import numpy as np

        size = len(columns[0]) if columns else 0
        row, node, missing = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, bool)
        for (low, high, places, edges, before, child), column in zip(self._places, columns, strict=True):
            place = node * (high - low + 1) + column - low
            edge = edges.take(place, mode="clip") if len(edges) else places[:-1].searchsorted(place)
            missing |= (column < low) | (column > high) | (places[edge] != place)
            row += before[edge]
            node = child[edge].astype(np.int64)
        row[missing] = -1
        return row

    @cached_property
    def _places(self) -> list[tuple]:
        """For each level, (least label, greatest label, places, edges, before, child). `places` has the place of each
        edge in the grid of nodes and labels, in increasing order. `edges` has the edge at each place of the grid, or 0;
        it is empty if the grid exceeds MANY places."""
        import numpy as np

        found = []
        for first, label, before, _, child in (map(np.asarray, level) for level in self.levels):
            low, high = int(label.min()), int(label.max())
            places = np.repeat(np.arange(len(first) - 1), np.diff(first)) * (high - low + 1) + label - low
            edges = np.zeros(places[-1] + 1 if places[-1] < MANY else 0, np.int32)
            if len(edges):
                edges[places] = np.arange(len(places))
            found.append((low, high, places, edges, before, child))
        return found
