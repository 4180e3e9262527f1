"""The components of positions equal SciPy's on random graphs."""

from types import SimpleNamespace

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dicebase.vocabulary.arithmetic.components import solving_order


def test_components_equal_scipys_and_follow_their_successors():
    draw = np.random.default_rng(1)
    for _ in range(300):
        states, afterstates = draw.integers(1, 30, 2)
        first, begin = (np.cumsum([0, *draw.integers(1, 4, count)]) for count in (states, afterstates))
        after = draw.integers(0, afterstates, first[-1], np.int32)
        to = np.where(draw.random(begin[-1]) < draw.random(), -1, draw.integers(0, states, begin[-1], np.int32))
        found, ends = solving_order(SimpleNamespace(first=first, after=after, begin=begin, to=to.astype(np.int32)))
        ours = [{*part.tolist()} for part in np.split(found, ends[:-1])]
        # Each state, each afterstate and the end is a node.
        ahead = np.append(after + states, np.where(to < 0, states + afterstates, to))
        ends = np.concatenate([first, first[-1] + begin[1:], [len(ahead)]])
        graph = csr_array((np.ones(len(ahead), np.int8), ahead, ends), shape=(len(ends) - 1,) * 2)
        count, part = connected_components(graph, connection="strong")
        theirs = [{*np.flatnonzero(part[:states] == c).tolist()} for c in range(count)]
        assert len(ours) == len({*part[:states].tolist()}) and all(component in theirs for component in ours)
        known = {-1}
        for part in ours:
            known |= part
            for s in part:
                assert all({*to[begin[b] : begin[b + 1]].tolist()} <= known for b in after[first[s] : first[s + 1]])
