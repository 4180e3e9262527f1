"""Row numbers (row_numbers.py) of many keys at once, and how they are made: by NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np

from dicebase.catalog.row_numbers import Level, RowNumbers

DENSE = 1 << 24  # the largest table of edges by node and label, in entries


class RowNumbersAtOnce(RowNumbers):
    """With levels of arrays."""

    def __init__(self, levels: Iterable[Level]) -> None:
        super().__init__([Level(*map(np.asarray, level)) for level in levels])
        self._dense: list[tuple | None] = [None] * len(self.levels)

    def numbers(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """The rows of many keys, given column by column as arrays of shape (n,) int64; -1 where there is none."""
        size = len(columns[0]) if columns else 0
        row, node = np.zeros(size, np.int64), np.zeros(size, np.int64)
        missing = np.zeros(size, bool)
        for number, (level, column) in enumerate(zip(self.levels, columns, strict=True)):
            edge, found = self._edges(number, node, column)
            missing |= ~found
            row += level.before[edge]
            node = level.child[edge].astype(np.int64)
        row[missing] = -1
        return row

    def _edges(self, number: int, node: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(the edge of each label of a node, whether there is one); some edge where there is none."""
        level = self.levels[number]
        if self._dense[number] is None:
            self._dense[number] = _dense(level)
        low, step, span, table = self._dense[number]
        place = (label - low) // step
        inside = (place >= 0) & (place < span) & ((label - low) % step == 0)
        place = node * span + np.where(inside, place, 0)
        if len(table) == span * (len(level.first) - 1):
            edge = table[place]
            return np.maximum(edge, 0), inside & (edge >= 0)
        edge = np.minimum(np.searchsorted(table, place), len(table) - 1)
        return edge, inside & (table[edge] == place)


def _dense(level: Level) -> tuple[int, int, int, np.ndarray]:
    """(lowest label, step, labels in the range, table): the edge by node * range + label, -1 where there is none; or,
    where that were too large, the sorted places of the edges."""
    low = int(level.label.min())
    step = int(np.gcd.reduce(level.label - low)) or 1
    span = int(level.label.max() - low) // step + 1
    nodes = len(level.first) - 1
    place = np.repeat(np.arange(nodes), np.diff(level.first)) * span + (level.label - low) // step
    if nodes * span > max(DENSE, 4 * len(place)):
        return low, step, span, place
    table = np.full(nodes * span, -1, np.int32)
    table[place] = np.arange(len(place))
    return low, step, span, table


class RowNumbersBuilder:
    """Made from sorted, distinct rows that come in parts; holds the open node of each column, and no rows."""

    def __init__(self, depth: int) -> None:
        self.nodes: list[dict[bytes, int]] = [{} for _ in range(depth)]
        self.edges: list[list[np.ndarray]] = [[] for _ in range(depth)]  # of each node, shape (4, edges)
        self.open: list[list[np.ndarray] | None] = [None] * depth

    def add(self, columns: Sequence[np.ndarray]) -> None:
        """The next rows, column by column."""
        rows = len(columns[0])
        self._add(len(columns) - 1, [*columns, np.ones(rows, np.int64), np.zeros(rows, np.int64)])

    def finish(self) -> RowNumbersAtOnce:
        """The numbers of all rows added."""
        depth = len(self.edges)
        for level in range(depth - 1, -1, -1):
            self._add(level, None)
        levels = []
        for edges in self.edges:
            first = np.cumsum([0, *(part.shape[1] for part in edges)])
            label, before, rows, child = np.concatenate(edges, axis=1)
            levels.append(Level(first, label, before, rows, child.astype(np.int32)))
        return RowNumbersAtOnce(levels)

    def _add(self, level: int, part: list[np.ndarray] | None) -> None:
        """Edges of a level: columns up to it, their rows and children. `None`: what is open is whole."""
        waiting = self.open[level]
        ready = part if waiting is None else waiting
        if part is not None and waiting is not None:
            ready = [np.concatenate(pair) for pair in zip(waiting, part, strict=True)]
        if ready is None:
            return
        changed = np.zeros(len(ready[0]), bool)
        changed[0] = True
        for column in ready[:level]:
            changed[1:] |= column[1:] != column[:-1]
        starts = np.flatnonzero(changed)
        if part is not None:  # the last node may go on
            self.open[level] = [column[starts[-1] :] for column in ready]
            ready, starts = [column[: starts[-1]] for column in ready], starts[:-1]
        else:
            self.open[level] = None
        if len(starts):
            nodes, rows = self._nodes(level, starts, *ready[level:])
            if level:
                self._add(level - 1, [*(column[starts] for column in ready[:level]), rows, nodes])

    def _nodes(
        self, level: int, starts: np.ndarray, label: np.ndarray, rows: np.ndarray, child: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """(the node of each run of edges, its rows)."""
        lengths = np.diff([*starts, len(label)])
        run = np.repeat(np.arange(len(starts)), lengths)
        before = np.cumsum(rows) - rows
        before -= before[starts][run]
        edges = np.array([label, before, rows, child], np.int64)
        like, which = _alike(edges, starts, lengths, run)
        numbers = np.empty(len(like), np.int64)
        for i, one in enumerate(like):
            node = np.ascontiguousarray(edges[:, starts[one] : starts[one] + lengths[one]])
            numbers[i] = self.nodes[level].setdefault(node.tobytes(), len(self.nodes[level]))
            if numbers[i] == len(self.edges[level]):
                self.edges[level].append(node)
        return numbers[which], np.add.reduceat(rows, starts)


def _alike(
    edges: np.ndarray, starts: np.ndarray, lengths: np.ndarray, run: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(runs of which no two are the same, for each run the number of the one that it is the same as)."""
    inside = np.arange(edges.shape[1]) - starts[run]
    for salt in count(1):
        mixed = np.zeros(edges.shape[1], np.uint64)
        for row in edges.astype(np.uint64):
            mixed = _mix(mixed ^ row, salt)
        _, like, which = np.unique(np.add.reduceat(mixed, starts), return_index=True, return_inverse=True)
        # Runs of one hash are held against one another: another salt where two differ after all.
        model = like[which]
        if (lengths[model] == lengths).all() and (edges == edges[:, starts[model][run] + inside]).all():
            return like, which
    raise AssertionError


def _mix(x: np.ndarray, salt: int) -> np.ndarray:
    """A step of the generator splitmix64 (G. Steele, D. Lea and C. Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15 * salt % 2**64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
