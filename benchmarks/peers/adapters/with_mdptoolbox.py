"""pymdptoolbox: ValueIteration with a matrix per action, so every state must have every action."""

import contextlib
import io

import mdptoolbox.mdp
import mdptoolbox.util
import numpy as np
from iterate import CHANGE
from problems import PROBLEMS
from scipy.sparse import csr_matrix

WORSE = -1e6  # reward of an action that a state does not have
mdptoolbox.util.check = lambda P, R: None  # the check takes longer than all else, and refuses signed probabilities


def build(problem: str, size: int):
    model = PROBLEMS[problem](size)
    end = model.states
    action = np.arange(len(model.state)) - model.first[model.state]
    matrices, rewards = [], np.full((end + 1, action.max() + 1), WORSE)
    rewards[end] = 0.0
    for a in range(action.max() + 1):
        pairs = np.flatnonzero(action == a)
        rewards[model.state[pairs], a] = model.reward[pairs]
        rows = model.P[pairs].tocoo()
        ends = np.ones(end + 1)
        ends[model.state[pairs]] = 1 - np.abs(model.P[pairs]).sum(axis=1).A1
        all_rows = np.concatenate([model.state[pairs][rows.row], np.arange(end + 1)])
        all_columns = np.concatenate([rows.col, np.full(end + 1, end)])
        values = np.concatenate([rows.data, ends])
        matrices.append(csr_matrix((values, (all_rows, all_columns)), shape=(end + 1, end + 1)))
    with contextlib.redirect_stdout(io.StringIO()):  # hides a warning about a discount of one
        return mdptoolbox.mdp.ValueIteration(matrices, rewards, 1.0, CHANGE, max_iter=10**6), model.shown


def solve(problem: str, built) -> np.ndarray:
    iteration, shown = built
    iteration.V = np.zeros(iteration.S)
    iteration.iter = 0
    iteration.run()
    return np.array(iteration.V)[shown]
