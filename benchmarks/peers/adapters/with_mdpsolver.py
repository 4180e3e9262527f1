"""MDPSolver, which takes nested lists. It needs a discount below one; ours is too close to one to matter."""

import mdpsolver
import numpy as np
from iterate import CHANGE
from problems import PROBLEMS

DISCOUNT = 1 - 1e-15
TOLERANCE = 2 * CHANGE / (1 - DISCOUNT)  # the library multiplies this by (1 - discount) / (2 discount)


def build(problem: str, size: int):
    model = PROBLEMS[problem](size)
    end, first = model.states, np.append(model.first, len(model.state))
    left = (1 - model.P.sum(axis=1).A1).tolist()
    starts, columns, values = model.P.indptr, model.P.indices.tolist(), model.P.data.tolist()

    def row(pair: int) -> slice:
        return slice(starts[pair], starts[pair + 1])

    ends = [int(share > 1e-9) for share in left]
    states = [range(first[s], first[s + 1]) for s in range(end)]
    solver = mdpsolver.model()
    solver.mdp(
        discount=DISCOUNT,
        rewards=[model.reward[pairs.start : pairs.stop].tolist() for pairs in states] + [[0.0]],
        tranMatProbs=[[values[row(p)] + [left[p]] * ends[p] for p in pairs] for pairs in states] + [[[1.0]]],
        tranMatColumns=[[columns[row(p)] + [end] * ends[p] for p in pairs] for pairs in states] + [[[end]]],
    )
    return solver, model.shown


def solve(problem: str, built) -> np.ndarray:
    solver, shown = built
    solver.solve(algorithm="vi", tolerance=TOLERANCE, update="gs", parallel=False)
    return np.array(solver.getValueVector())[shown]
