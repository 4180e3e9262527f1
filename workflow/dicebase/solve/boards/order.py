"""In which order the positions of a board can be solved, which its rules do not say."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from dicebase.solve.boards.positions import Step


def solving_order(step: Step) -> tuple[np.ndarray, np.ndarray]:
    """(states, those of a component together, after all that they lead to; where components end among them)."""
    states, afterstates = len(step.first) - 1, len(step.begin) - 1
    # States, afterstates, and the end as one node each.
    ahead = np.where(step.to < 0, np.int32(states + afterstates), step.to)
    to = np.concatenate([step.after + np.int32(states), ahead], dtype=np.int32)
    first = np.concatenate([step.first, step.first[-1] + step.begin[1:], [len(to)]], dtype=np.int32)
    graph = csr_array((np.ones(len(to), np.int8), to, first), shape=(len(first) - 1,) * 2)
    component = connected_components(graph, connection="strong")[1][:states]
    # What was discovered later is most often later in play.
    order = np.lexsort((-np.arange(states), component))
    return order, np.append(np.flatnonzero(np.diff(component[order])) + 1, states)
