"""SciPy: one linear program for a whole decision process, or one per matrix game, solved by HiGHS."""

import numpy as np
from iterate import by_states
from problems import PROBLEMS
from scipy.optimize import linprog
from scipy.sparse import csr_matrix


def build(problem: str, size: int):
    model = PROBLEMS[problem](size)
    if problem == "hog_simultaneous":
        return model
    pairs = np.arange(len(model.state))
    own = csr_matrix((np.ones(len(pairs)), (pairs, model.state)), shape=model.P.shape)
    return (model.P - own).tocsr(), -model.reward, model.shown


def solve(problem: str, built) -> np.ndarray:
    if problem == "hog_simultaneous":
        return by_states(built, matrix_game)
    # Find the smallest values that no action improves.
    A, b, shown = built
    found = linprog(np.ones(A.shape[1]), A_ub=A, b_ub=b, bounds=(None, None), method="highs-ipm")
    if found.status != 0:
        raise RuntimeError(found.message)
    return found.x[shown]


def matrix_game(M: np.ndarray) -> float:
    """Return the value of a matrix game: max v subject to x'M >= v for a mix x."""
    n = len(M)
    return -linprog(
        np.append(np.zeros(n), -1),
        A_ub=np.hstack([-M.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs-ds",
    ).fun
