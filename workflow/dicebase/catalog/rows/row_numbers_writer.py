"""Build row numbers (row_numbers.py) with NumPy, variant by variant, from the last column to the first."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dicebase.catalog.rows.row_numbers import Level


class RowNumbersBuilder:
    """Add the sorted, distinct rows of one variant after another; only the automaton is kept."""

    def __init__(self, parameters: int, depth: int) -> None:
        """parameters : the number of parameters, which come first among the `depth` columns."""
        self.parameters = parameters
        self.variants: list[list[int]] = []  # (*parameters, number of rows, node) of each variant
        self.nodes: list[dict[bytes, int]] = [{} for _ in range(depth)]
        self.edges: list[list[np.ndarray]] = [[] for _ in range(depth)]  # by level, (4, edges) of each node

    def add(self, columns: Sequence[np.ndarray]) -> None:
        """Add the rows of the next variant; `columns` are int64 arrays of shape (n,)."""
        ones = np.ones(len(columns[0]), np.int64)
        folded = self._folded(columns[self.parameters :], self.parameters, ones, np.zeros_like(ones))
        of_all = folded if len(columns) > self.parameters else ([len(ones)], [0])
        self.variants.append([int(column[0]) for column in (*columns[: self.parameters], *of_all)])

    def finish(self) -> list[Level]:
        """Return the levels of all rows added."""
        *parameters, rows, node = np.array(self.variants).T
        self._folded(parameters, 0, rows, node)
        levels = []
        for edges in self.edges:
            first = np.cumsum([0, *(part.shape[1] for part in edges)])
            levels.append(Level(first, *np.concatenate(edges, axis=1)))
        return levels

    def _folded(
        self, columns: Sequence[np.ndarray], first: int, rows: np.ndarray, child: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Merge rows into nodes, from the last of these columns to the first, which is at level `first`. `rows` and
        `child` hold the number of rows and the next node of each key; return both for the root."""
        for level in reversed(range(len(columns))):
            changed = np.arange(len(rows)) == 0
            for column in columns[:level]:
                changed[1:] |= column[1:] != column[:-1]
            starts, before = np.flatnonzero(changed), np.cumsum(rows) - rows
            before -= before[starts][np.cumsum(changed) - 1]
            edges = np.array([columns[level], before, rows, child], np.int64)
            ends = pairwise([*starts.tolist(), len(rows)])
            child = np.array([self._node(first + level, edges[:, low:high]) for low, high in ends])
            rows, columns = np.add.reduceat(rows, starts), [column[starts] for column in columns]
        return rows, child

    def _node(self, level: int, edges: np.ndarray) -> int:
        """Return the number of the node with these edges, shape (4, edges); equal nodes share a number."""
        number = self.nodes[level].setdefault(edges.tobytes(), len(self.nodes[level]))
        if number == len(self.edges[level]):
            self.edges[level].append(edges.copy())
        return number
