"""Hog with simultaneous throws: our table as arrays, and from the rules by other means, plain counts and HiGHS."""

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from support.contract_throws import tabulated
from support.contract_turns import read_rows

EXACT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


class Stage(NamedTuple):
    """A published table as arrays by (me, opponent, and throw)."""

    value: np.ndarray
    mix: np.ndarray
    q: np.ndarray
    unique: np.ndarray


@cache
def stage(target: int, dice: int, on_one: str = "nothing", sides: int = 6) -> Stage:
    """The table of a variant in which every total below the target occurs."""
    rows = tabulated("hog", "simultaneous", {"target": target, "max_dice": dice, "on_one": on_one, "sides": sides})
    shape, table = (target, target), read_rows(rows)
    assert list(table) == list(product(range(target), repeat=2))
    ranked = [r for _, r, _ in table.values()]
    return Stage(
        np.array([r.value for r in ranked]).reshape(shape),
        np.array([r.probabilities for r in ranked]).reshape(*shape, dice),
        np.array([r.q_values for r in ranked]).reshape(*shape, dice),
        np.array(rows.states["unique"]).reshape(shape),
    )


@cache
def throw(dice: int, sides: int = 6) -> np.ndarray:
    """The chance of each gain, by adding one die after the other."""
    clean = np.ones(1)  # chances of the sum of the dice so far, none of them a 1
    for _ in range(dice):
        one = np.zeros(sides + 1)
        one[2:] = 1 / sides
        clean = np.convolve(clean, one)
    clean[0] = 1 - clean.sum()
    return clean


def worth(a: int, b: int, values: np.ndarray) -> float:
    """Equation (1): the payoff once a total has reached the target, else the value."""
    target = len(values)
    return np.sign(a - b) if max(a, b) >= target else values[a, b]


def payoffs(a: int, b: int, dice: int, values: np.ndarray, on_one: str = "nothing", sides: int = 6):
    """(M, p): the payoff of d dice against e without the outcome that nobody scores, and the chance of that outcome.

    If a 1 costs all points, that outcome does not exist and p = 0.
    """
    M, p = np.zeros((dice, dice)), np.zeros((dice, dice))
    reach = dice * sides
    after = np.array([[worth(a + i, b + j, values) for j in range(reach + 1)] for i in range(reach + 1)], float)
    if on_one == "all":
        after[0] = [worth(0, b + j, values) for j in range(reach + 1)]
        after[:, 0] = [worth(a + i, 0, values) for i in range(reach + 1)]
        after[0, 0] = values[0, 0]
    else:
        after[0, 0] = 0
    for d, e in product(range(dice), repeat=2):
        mine, theirs = throw(d + 1, sides), throw(e + 1, sides)
        M[d, e] = mine @ after[: len(mine), : len(theirs)] @ theirs
        p[d, e] = mine[0] * theirs[0] if on_one == "nothing" else 0
    return M, p


def matrix_game(M: np.ndarray) -> tuple[float, np.ndarray]:
    """(value, mix of the row player) by HiGHS: max v subject to x'M >= v, x a mix."""
    rows, columns = M.shape
    solved = linprog(
        c=np.append(np.zeros(rows), -1),
        A_ub=np.hstack([-M.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
        options=EXACT,
    )
    assert solved.status == 0, solved.message
    return -solved.fun, solved.x[:-1]


def state_value(M: np.ndarray, p: np.ndarray) -> tuple[float, np.ndarray]:
    """(v, mix) with v = value of M + p v, by HiGHS and a secant in a bracket; that value minus v falls in v."""
    low, high = -1.0, 1.0
    at = {v: matrix_game(M + p * v)[0] - v for v in (low, high)}
    while high - low > 1e-13:
        v = (low * at[high] - high * at[low]) / (at[high] - at[low]) if at[high] != at[low] else low
        v = v if low < v < high else (low + high) / 2
        excess, mix = matrix_game(M + p * v)
        if abs(excess - v) < 1e-14:
            return v, mix
        at[v] = excess - v
        low, high = (v, high) if at[v] > 0 else (low, v)
    return v, mix
