"""An equilibrium by linear programs over plans (von Stengel 1996), each player's refined until doubles allow no more.

Against a plan x the opponent's best response has the least values v with v_K >= q_s(x) + the values of the sets that
sequence s leads to, for each s at set K; the program minimises the value at the start. HiGHS stops at a tolerance of
1e-7. So after a program over plans follow programs over corrections of a plan, in units small enough to hide the
tolerance: the plan and the best response to it are computed exactly in between (iterative refinement: Gleixner, Steffy
and Wolter 2016).
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import block_array

from dicebase.solvers.hidden.sequences import Side

UNITS = (1.0, 1e-6, 1e-9)  # of the corrections
ENOUGH = 1e-15  # a gap that doubles do not improve
NOISE = 1e-9  # plans below this many units are zero


def solve_program(sides: tuple[Side, Side]) -> list[np.ndarray]:
    """Return the mixes, (S,), of both players. A program that HiGHS cannot solve leaves a mix as it was."""
    mixes, conceded = [side.uniform for side in sides], [np.inf, np.inf]
    for unit in UNITS:
        if sum(conceded) <= ENOUGH:
            break
        for i, (own, other) in enumerate((sides, sides[::-1])):
            mix = _corrected(own, other, mixes[i], unit)
            if (least := other.values(own.plan(mix))[0][0]) < conceded[i]:
                mixes[i], conceded[i] = mix, least
    return mixes


def _corrected(own: Side, other: Side, mix: np.ndarray, unit: float) -> np.ndarray:
    """Return a mix after one linear program, whose variables are the changes of the plan and of the opponent's values,
    divided by `unit`."""
    plan, sets = own.plan(mix), len(other.parent)
    q, v = other.values(plan)
    earned, links = other.payoff, other.links
    found = linprog(
        np.concatenate([earned[[0]].toarray()[0], -links[[0]].toarray()[0]]),
        A_ub=block_array([[earned[1:], -links[1:]]], format="csc"),
        b_ub=(v[other.set_of] - q[1:]) / unit,
        A_eq=block_array([[own.links.T, None], [None, np.zeros((0, sets))]], format="csc"),
        b_eq=np.zeros(len(own.parent)),
        bounds=[(0, 0), *((-p, None) for p in plan[1:] / unit), *[(None, None)] * sets],
        method="highs-ds",
    )
    if found.x is None:
        return mix
    plan = plan + unit * found.x[: len(plan)]
    return own.mix(np.where(plan < NOISE * unit, 0.0, plan), mix)
