"""Row numbers (row_numbers.py) as they are made: by NumPy, variant by variant."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dicebase.catalog.rows.row_numbers import Level


class RowNumbersBuilder:
    """Made from sorted, distinct rows that come variant by variant; holds no rows."""

    def __init__(self, parameters: int, depth: int) -> None:
        """parameters : the columns of a row that tell variants apart, the first of `depth`."""
        self.parameters = parameters
        self.variants: list[list[int]] = []  # of each the parameters, how many rows it has, their node
        self.nodes: list[dict[bytes, int]] = [{} for _ in range(depth)]
        self.edges: list[list[np.ndarray]] = [[] for _ in range(depth)]  # of each node, shape (4, edges)

    def add(self, columns: Sequence[np.ndarray]) -> None:
        """The rows of the next variant, column by column."""
        ones = np.ones(len(columns[0]), np.int64)
        folded = self._folded(columns[self.parameters :], self.parameters, ones, np.zeros_like(ones))
        of_all = folded if len(columns) > self.parameters else ([len(ones)], [0])
        self.variants.append([int(column[0]) for column in (*columns[: self.parameters], *of_all)])

    def finish(self) -> list[Level]:
        """The levels of all rows added."""
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
        """(rows, node) of what has these columns, the `first` one of all and others, from (rows, node) of each part."""
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
        """The number of the node with these edges."""
        number = self.nodes[level].setdefault(edges.tobytes(), len(self.nodes[level]))
        if number == len(self.edges[level]):
            self.edges[level].append(edges.copy())
        return number
