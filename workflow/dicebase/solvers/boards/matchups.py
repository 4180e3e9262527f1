"""What policies of two players earn against one another on a board, from the ends of play back.

A state has two values, those of the row player where he is to move and where the other is. Where play can return they
are swept until they stay as they are.
"""

import numpy as np

from dicebase.solvers.boards.positions import Positions
from dicebase.vocabulary import TIE
from dicebase.vocabulary.kernels import inner, kernel

SWEEPS = 200_000


def earned(p: Positions, row: np.ndarray | None, column: np.ndarray) -> tuple[float, float, np.ndarray]:
    """What the row player earns: (if he begins, if the other does, (2, S) from each state if he moves, or the other).

    row, column : (A,), how often an action is taken where its state comes up; without `row` he takes the best.
    """
    values = np.zeros((len(p.states), 2))
    _settle(p.step, column if row is None else row, column, row is None, *p.order, values)
    return _ahead(p.step, 0, 0, values), _ahead(p.step, 0, 1, values), values.T


@kernel(_nrt=True)
def best_actions(step, values):
    """The number of the action in each state, (S,), that is best for the row player by what states are worth to him,
    the first one within TIE."""
    found = step.first[:-1].copy()
    for s in range(len(found)):
        best = -np.inf
        for k in range(step.first[s], step.first[s + 1]):
            best = max(best, _ahead(step, step.after[k], 0, values))
        while best - _ahead(step, step.after[found[s]], 0, values) > TIE:
            found[s] += 1
    return found


@kernel
def _settle(step, row, column, best, order, ends, values):
    begin = 0
    for c in range(len(ends)):
        inside = order[begin : ends[c]]
        begin = ends[c]
        least, waited = np.inf, 0
        for _ in range(SWEEPS):
            change = 0.0
            for s in inside:
                for role in range(2):
                    worth = _worth(step, s, role, column if role else row, best and role == 0, values)
                    change = max(change, abs(worth - values[s, role]))
                    values[s, role] = worth
            # A unit in the last place may go on for ever.
            waited = 0 if change < least else waited + 1
            least = min(least, change)
            if change == 0.0 or (waited > 5 and least < 1e-14):
                break


@inner
def _worth(step, s, role, mix, best, values):
    worth = -np.inf if best else 0.0
    for k in range(step.first[s], step.first[s + 1]):
        if best:
            worth = max(worth, _ahead(step, step.after[k], role, values))
        elif mix[k] > 0.0:
            worth += mix[k] * _ahead(step, step.after[k], role, values)
    return worth


@kernel
def _ahead(step, b, role, values):
    worth, fall, whose = 0.0, step.fall[b] - step.begin[b], 1 - 2 * role
    for o in range(step.begin[b], step.begin[b + 1]):
        term = whose * step.reward[fall + o]
        if step.to[o] >= 0:
            term += values[step.to[o], role if step.sign[fall + o] > 0 else 1 - role]
        worth += step.chance[fall + o] * term
    return worth
