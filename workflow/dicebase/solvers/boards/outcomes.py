"""How likely each outcome of a board is, where one action is played in each position: played forward from the start.

A node is an afterstate, with whose turn it was: the first mover's, or the other's. Let f be the least that the first
mover can have earned where play comes to a node, a shortest path: counted from f, no move pays less than nothing. So
the chances of being at the nodes are found level by level, one a point above f; within a level in the order of play,
again and again where that goes in circles for nothing.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from dicebase.solvers.boards.positions import Step
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.kernels import kernel

ROUNDS = 1000  # of looking for the least; where it falls on, there is none
LEFT = 1e-20  # of those in circles for nothing: so small a chance is let go


class Graph(NamedTuple):
    """Play from node 0: from node n by the edges begin[n] to begin[n + 1] - 1 to other nodes, or to the end, -1."""

    begin: np.ndarray
    to: np.ndarray
    earned: np.ndarray  # by the first mover
    chance: np.ndarray

    def order(self, counted: np.ndarray) -> tuple[np.ndarray, bool]:
        """(the nodes that play comes to, each after those that lead to it by edges which are counted, as far as these
        are no circle; whether there is one)."""
        size = len(self.begin) - 1
        every, these = (_matrix(self, self.to >= 0, size), _matrix(self, (self.to >= 0) & counted, size))
        reached = np.sort(breadth_first_order(every, 0, return_predecessors=False))
        component = connected_components(these, connection="strong")[1][reached]
        circles = len(np.unique(component)) < len(reached) or bool(these.diagonal()[reached].any())
        # The last component is the first in play.
        return reached[np.argsort(-component, kind="stable")], circles


def _matrix(graph: Graph, there: np.ndarray, size: int) -> csr_array:
    begin = np.concatenate([[0], np.cumsum(there)])[graph.begin]
    return csr_array((np.ones(begin[-1], np.int8), graph.to[there], begin), shape=(size, size))


def outcomes_of(step: Step, played: np.ndarray, tail: float) -> dict[int, float]:
    """{outcome: its probability}, in rising order.

    played : (S,), the number of the action of each state.
    tail : the chance of what is left out where no outcome is the last.

    Raises ConfigurationError where rewards are no whole numbers, or outcomes have neither a least nor a greatest one.
    """
    if not np.all(step.reward == np.rint(step.reward)):
        raise ConfigurationError("distribution: this objective has rewards that are no whole numbers")
    graph = _graph(step, step.after[played])
    order, endless = graph.order(np.ones(len(graph.to), bool))
    for sense in (1, -1):
        signed = graph._replace(earned=sense * graph.earned)
        floor = np.full(len(graph.begin) - 1, np.inf)
        floor[0] = 0.0
        if _least(signed, order, floor):
            found = _played(signed, floor, tail if endless else 0.0)
            return dict(sorted((sense * outcome, p) for outcome, p in found.items()))
    raise ConfigurationError("distribution: play may go round for more and for less: outcomes have no end on any side")


def _graph(step: Step, after: np.ndarray) -> Graph:
    """Of the afterstates that the states lead to; twice where players change roles."""
    counts, roles = np.diff(step.begin), 2 if (step.sign < 0).any() else 1
    fall = np.arange(len(step.to)) + np.repeat(step.fall - step.begin[:-1], counts)
    parts = []
    for role in range(roles):
        other = np.where(step.sign[fall] < 0, 1 - role, role)
        to = np.where(step.to < 0, -1, roles * after[step.to] + other)
        parts.append((to, (1 - 2 * role) * step.reward[fall], step.chance[fall]))
    begin = np.concatenate([[0], np.cumsum(np.repeat(counts, roles))])
    # Of an afterstate the edges of one role follow those of the other.
    place = np.argsort(np.concatenate([roles * np.repeat(np.arange(len(counts)), counts) + r for r in range(roles)]),
                       kind="stable")  # fmt: skip
    return Graph(begin, *(np.concatenate(column)[place] for column in zip(*parts, strict=True)))


@kernel
def _least(graph, order, floor):
    """Fill in the least that can have been earned; whether there is one."""
    for _ in range(ROUNDS):
        changed = False
        for n in order:
            for e in range(graph.begin[n], graph.begin[n + 1]):
                t = graph.to[e]
                if t >= 0 and floor[n] + graph.earned[e] < floor[t]:
                    floor[t], changed = floor[n] + graph.earned[e], True
        if not changed:
            return True
    return False


def _played(graph: Graph, floor: np.ndarray, tail: float) -> dict[int, float]:
    """The probabilities, but for a tail."""
    origin = np.repeat(floor, np.diff(graph.begin))
    ends, reached = graph.to < 0, np.isfinite(origin)
    above = np.where(ends | ~reached, 0, origin + graph.earned - np.where(reached, floor[graph.to], 0)).astype(int)
    last = np.where(reached & ends, origin + graph.earned, 0).astype(int)
    least, found, level = int(last.min()), {}, 0
    order, _ = graph.order(above == 0)
    ring, ended = np.zeros((int(above.max()) + 1, len(floor))), np.zeros(int(last.max()) - least + 1)
    waiting = np.zeros(len(ring))
    ring[0, 0] = waiting[0] = 1.0
    while waiting.sum() > tail:
        ended[:] = 0.0
        _level(graph, order, above, last - least, ring, waiting, level % len(ring), ended)
        for i in np.flatnonzero(ended).tolist():
            found[level + least + i] = found.get(level + least + i, 0.0) + float(ended[i])
        level += 1
    return found


@kernel
def _level(graph, order, above, last, ring, waiting, now, ended):
    """Move on all who wait at a level; those who move on within it in the same go."""
    entered, size = waiting[now], len(ring)
    while waiting[now] > LEFT * entered:
        waiting[now] = 0.0
        for i in range(len(order)):
            n = order[i]
            here = ring[now, n]
            if here == 0.0:
                continue
            ring[now, n] = 0.0
            for e in range(graph.begin[n], graph.begin[n + 1]):
                moved = here * graph.chance[e]
                if graph.to[e] < 0:
                    ended[last[e]] += moved
                else:
                    then = (now + above[e]) % size
                    ring[then, graph.to[e]] += moved
                    waiting[then] += moved
        waiting[now] = 0.0
        for i in range(len(order)):
            waiting[now] += ring[now, order[i]]
    waiting[now] = 0.0
    for i in range(len(order)):
        ring[now, order[i]] = 0.0
