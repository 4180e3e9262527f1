"""The strongly connected components of positions, in the order to solve them, in linear time (Pearce 2016).

The solver and the certifier both use it. In a wrong order, the certifier would find no bounds: each of its bounds needs
those of the successors, and is not a number before they are known.
"""

from typing import Protocol

import numpy as np

from dicebase.vocabulary.kernels import kernel


class Graph(Protocol):
    """Actions lead from states to afterstates, and outcomes from these to states or to the end, -1."""

    first: np.ndarray  # (S + 1,), the actions of state s are first[s] to first[s + 1] - 1
    after: np.ndarray  # (A,), the afterstate of each action
    begin: np.ndarray  # (B + 1,), the outcomes of afterstate b are begin[b] to begin[b + 1] - 1
    to: np.ndarray  # (O,), the next state


def solving_order(p: Graph) -> tuple[np.ndarray, np.ndarray]:
    """Return the states, with each component after its successors, and where each component ends in this order.

    A component is one state, or several that lead to one another, in postorder: states near the end of play come first.
    """
    states, nodes = len(p.first) - 1, len(p.first) + len(p.begin) - 2
    order, ends = np.empty(states, np.int32), np.empty(states, np.int32)
    index, path, edge, waiting = (np.zeros(nodes, np.int32) for _ in range(4))
    found = _components(p.first, p.after, p.begin, p.to, order, ends, index, path, edge, np.ones(nodes, bool), waiting)
    return order, ends[:found]


@kernel
def _components(first, after, begin, to, order, ends, index, path, edge, alone, waiting):
    """Run Pearce's algorithm 3: fill `order` and `ends`, and return the number of components.

    Nodes are the states, followed by the afterstates. index : (nodes,), 0 if unvisited, then the least index known to
    be reachable, from 1, and nodes + 1 once the component is complete. path, edge : the nodes of the current path, and
    the next edge of each node. waiting : finished nodes whose component is incomplete. alone : whether no path from the
    node to an earlier one has been found; still true at the end for the root of a component.
    """
    states, nodes = len(first) - 1, len(index)
    numbered, kept, done, found = 1, 0, 0, 0
    for start in range(states):
        if index[start] != 0:
            continue
        path[0], index[start], depth = start, numbered, 1
        numbered += 1
        while depth > 0:
            v = path[depth - 1]
            low = first[v] if v < states else begin[v - states]
            high = first[v + 1] if v < states else begin[v - states + 1]
            if edge[v] < high - low:
                ahead = states + after[low + edge[v]] if v < states else to[low + edge[v]]
                if ahead >= 0 and index[ahead] == 0:
                    path[depth], index[ahead], depth = ahead, numbered, depth + 1
                    numbered += 1
                    continue  # come back to this edge when `ahead` is finished
                if ahead >= 0 and index[ahead] < index[v]:
                    index[v], alone[v] = index[ahead], False
                edge[v] += 1
                continue
            depth -= 1
            waiting[kept], kept = v, kept + 1
            if alone[v]:
                low = kept - 1
                while low > 0 and index[waiting[low - 1]] >= index[v]:
                    low -= 1
                before = done
                for i in range(low, kept):
                    index[waiting[i]] = nodes + 1
                    if waiting[i] < states:
                        order[done], done = waiting[i], done + 1
                numbered, kept = numbered - (kept - low), low
                if done > before:
                    ends[found], found = done, found + 1
    return found
