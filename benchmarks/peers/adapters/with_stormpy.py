"""Storm: its topological method for the largest expected total reward, or the smallest total cost, until play ends."""

import numpy as np
import stormpy
from iterate import CHANGE
from problems import PROBLEMS
from stormpy import datastructures, models


def build(problem: str, size: int):
    process = PROBLEMS[problem](size)
    end, P = process.states, process.P.tocoo()
    left = 1 - process.P.sum(axis=1).A1
    ends = np.append(np.flatnonzero(left > 1e-9), len(left))
    rows = np.concatenate([P.row, ends])
    columns = np.concatenate([P.col, np.full(len(ends), end)])
    order = np.lexsort((columns, rows))
    values = np.concatenate([P.data, left[ends[:-1]], [1.0]])[order]
    builder = datastructures.SparseMatrixBuilder[float](
        len(left) + 1, end + 1, len(values), has_custom_row_grouping=True, row_groups=end + 1
    )
    groups = np.append(process.first, len(left))
    builder.add_next_values(rows[order].tolist(), columns[order].tolist(), values.tolist(), groups.tolist())
    labels = models.StateLabeling(end + 1)
    for label, state in (("init", 0), ("end", end)):
        labels.add_label(label)
        labels.add_label_to_state(label, state)
    rewards = models.SparseRewardModel[float](
        optional_state_action_reward_vector=np.append(np.abs(process.reward), 0.0).tolist()
    )
    components = models.SparseModelComponents[float](builder.build(), labels, {"points": rewards})
    return models.SparseMdp[float](components), process.shown, -1 if process.reward.min() < 0 else 1


def solve(problem: str, built) -> np.ndarray:
    model, shown, sense = built
    wanted = stormpy.parse_properties(f'R{{"points"}}{"max" if sense > 0 else "min"}=? [F "end"]')[0]
    environment = stormpy.environments.sound()
    environment.solver().min_max().precision = stormpy.Rational(CHANGE)
    found = stormpy.model_checking(model, wanted, only_initial_states=False, environment=environment)
    return sense * np.array(found.get_value_vector())[shown]
