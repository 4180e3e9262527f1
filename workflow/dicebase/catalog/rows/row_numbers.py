"""The number of a state's row among the sorted rows of its table, computed and not searched for.

Sorted rows are a tree: a node has an edge for each value of the next column, and an edge knows how many of the node's
rows come before it. Nodes with the same edges are one node: this is the smallest automaton that accepts the rows and
counts them on the way, a minimal perfect hash that keeps their order (C. Lucchesi and T. Kowaltowski 1993). The rows of
a turn are alike for every pair of totals, so that the 19 million of a duel of Ten Thousand need some 50,000 edges.

The same numbers serve the writer of the mapped rows, lookups, and everything else that reads rows by number. One lookup
needs no NumPy, which takes as long to load as all else.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

MANY = 2**22  # places of a level, 16 MB


class Level(NamedTuple):
    """The nodes of one column, arrays or views of memory; edges of a node follow one another, by rising label."""

    first: Sequence[int]  # (nodes + 1,) the first edge of each node
    label: Sequence[int]  # (edges,) the value of the column
    before: Sequence[int]  # (edges,) rows of the node before those of the edge
    rows: Sequence[int]  # (edges,) rows of the edge
    child: Sequence[int]  # (edges,) node of the next level


class RowNumbers:
    """The row of every key, a tuple of whole numbers, one for each column."""

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels = tuple(levels)

    def __len__(self) -> int:
        return int(self.levels[0].before[-1] + self.levels[0].rows[-1]) if self.levels else 1

    def number(self, key: Sequence[int]) -> int:
        """The row of a key; -1 where there is none."""
        row, rows = self.span(key)
        return row if rows else -1

    def span(self, prefix: Sequence[int]) -> tuple[int, int]:
        """(the first row, how many rows) of the keys that begin with `prefix`; none of them is (-1, 0)."""
        return self.descend(prefix)[:2]

    def following(self, prefix: Sequence[int]) -> list[int]:
        """The values of the next column in the keys that begin with `prefix`, which is not a whole key."""
        _, rows, node = self.descend(prefix)
        level = self.levels[len(prefix)]
        return level.label[level.first[node] : level.first[node + 1]].tolist() if rows else []

    def descend(self, prefix: Sequence[int]) -> tuple[int, int, int]:
        """(the first row, how many rows, their node in the next level) of the keys that begin with `prefix`; none of
        them is (-1, 0, -1)."""
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
        """The rows of many keys, given column by column as arrays of shape (n,) int64; -1 where there is none."""
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
        """By level: the least and the greatest label; for each edge the place of its label among those of all nodes;
        by place the edge, 0 where there is none, empty where places are many and are searched; `before`; `child`."""
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
