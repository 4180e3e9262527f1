"""The certifier's components equal SciPy's on random graphs."""

from types import SimpleNamespace

import numpy as np

from dicebase.certify.graph import components
from dicebase.solvers.boards import positions


def test_components_equal_scipys_and_follow_their_successors():
    draw = np.random.default_rng(1)
    for _ in range(300):
        states, afterstates = draw.integers(1, 30, 2)
        first, begin = (np.cumsum([0, *draw.integers(1, 4, count)]) for count in (states, afterstates))
        after = draw.integers(0, afterstates, first[-1], np.int32)
        to = np.where(draw.random(begin[-1]) < draw.random(), -1, draw.integers(0, states, begin[-1], np.int32))
        board = SimpleNamespace(first=first, after=after, begin=begin, to=to.astype(np.int32))
        ours, theirs = (
            [{*part.tolist()} for part in np.split(found, ends[:-1])]
            for found, ends in (components.solving_order(board), positions.solving_order(board))
        )
        assert len(ours) == len(theirs) and {*map(frozenset, ours)} == {*map(frozenset, theirs)}
        known = {-1}
        for part in ours:
            known |= part
            for s in part:
                assert all({*to[begin[b] : begin[b + 1]].tolist()} <= known for b in after[first[s] : first[s + 1]])
