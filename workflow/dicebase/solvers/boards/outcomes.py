"""The distribution of outcomes of two fixed policies on a board, computed forward from the start.

A node is an afterstate of their pair (matchups.py). Let f(n) be the least that the first mover can
have earned on reaching node n, a shortest path; relative to f, no move has a negative reward. The probabilities of
nodes are therefore computed level by level, where the level is the number of points above f. Within a level they are
computed in the order of play, repeatedly if there are cycles of zero reward.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from dicebase.solvers.boards.positions import Step
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.kernels import kernel

ROUNDS = 1000  # sweeps for the least outcome; if it still decreases after these, it counts as unbounded
LEFT = 1e-20  # share of the probability in zero-reward cycles that is dropped


class Graph(NamedTuple):
    """Play from node 0 as a graph. Node n has the edges begin[n] to begin[n + 1] - 1, each to a node or the end, -1."""

    begin: np.ndarray
    to: np.ndarray
    earned: np.ndarray  # the first mover's reward
    chance: np.ndarray

    def order(self, counted: np.ndarray) -> tuple[np.ndarray, bool]:
        """Return the reached nodes in topological order of the edges in `counted`, up to cycles, and whether these
        edges form a cycle."""
        size = len(self.begin) - 1
        every, these = (_matrix(self, self.to >= 0, size), _matrix(self, (self.to >= 0) & counted, size))
        reached = np.sort(breadth_first_order(every, 0, return_predecessors=False))
        component = connected_components(these, connection="strong")[1][reached]
        circles = len(np.unique(component)) < len(reached) or bool(these.diagonal()[reached].any())
        # SciPy numbers a component after its successors.
        return reached[np.argsort(-component, kind="stable")], circles


def _matrix(graph: Graph, there: np.ndarray, size: int) -> csr_array:
    begin = np.concatenate([[0], np.cumsum(there)])[graph.begin]
    return csr_array((np.ones(begin[-1], np.int8), graph.to[there], begin), shape=(size, size))


def outcomes_of(step: Step, tail: float) -> dict[int, float]:
    """Return {outcome: probability} if the row player begins, in increasing order of outcomes.

    step : of a pair of policies. tail : the probability left out if outcomes are unbounded.
    Raises ConfigurationError if a reward is not an integer, or if outcomes are unbounded on both sides.
    """
    if not np.all(step.reward == np.rint(step.reward)):
        raise ConfigurationError("distribution: this objective has rewards that are not whole numbers")
    to = np.where(step.to < 0, -1, step.after[step.to])
    graph = Graph(step.begin, to, step.reward, step.chance)
    order, endless = graph.order(np.ones(len(graph.to), bool))
    for sense in (1, -1):
        signed = graph._replace(earned=sense * graph.earned)
        floor = np.full(len(graph.begin) - 1, np.inf)
        floor[0] = 0.0
        if _least(signed, order, floor):
            found = _played(signed, floor, tail if endless else 0.0)
            return dict(sorted((sense * outcome, p) for outcome, p in found.items()))
    raise ConfigurationError("distribution: play may cycle with gains and losses: outcomes are unbounded both ways")


@kernel
def _least(graph, order, floor):
    """Lower `floor`, (nodes,), to the least possible reward so far; return whether this converged."""
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
    """Return the probabilities of outcomes, except for a tail."""
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
    """Move on all probability at level `now`, including arrivals within the level.

    ring : (levels, nodes), the probabilities, with levels in rotation. waiting : (levels,), their sums. above, last :
    (edges,), the levels gained, and the index of the outcome in `ended`.
    """
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
