"""The number of a state's row among the sorted rows of its table, computed and not searched for.

Sorted rows are a tree: a node has an edge for each value of the next column, and an edge knows how many of the node's
rows come before it. Nodes with the same edges are one node: this is the smallest automaton that accepts the rows and
counts them on the way, a minimal perfect hash that keeps their order (C. Lucchesi and T. Kowaltowski 1993). The rows of
a turn are alike for every pair of totals, so that the 19 million of a duel of Ten Thousand need some 50,000 edges.

The same numbers serve the writer of the mapped rows, lookups, and everything else that reads rows by number. Here is
what one lookup needs, without NumPy, which takes as long to load as all else; row_numbers_at_once.py has the rest.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple


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
