"""Hog with simultaneous throws: our solver, state by state, compared with value iteration by linear programs.

Value iteration follows section 4 of Tijms and van der Wal: V^(n) is the value of the game that is a draw after n
rounds, and each state of a round is a matrix game, solved as a linear program (SciPy's HiGHS). A faster matrix game
solver counts the rounds until no value changes by more than 1e-12, and linear programs are timed on a sample of the
states of all rounds. The product estimates the time of value iteration, without computing the matrices. `simplex` is
the measured time of these rounds if NumPy computes the matrices and a compiled simplex method solves the games.
"""

import os

os.environ |= dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import numpy as np
from _measure import cpu_seconds, heading, number, table
from scipy.optimize import linprog

from dicebase.games.hog import Rules
from dicebase.solvers.throws.duel import gain_probabilities
from dicebase.solvers.throws.simultaneous import solve_simultaneous, solve_state

CHANGE = 1e-12
SAMPLE = 200
COMPARED = [(20, 5), (40, 5), (40, 10)]  # target, most dice
SIZES = [(40, 5), (40, 10), (40, 20), (100, 5), (100, 10), (100, 20), (200, 10), (400, 10)]


def throws(dice: int) -> np.ndarray:
    """Return the probability of each gain of each throw, (throws, gains)."""
    rules = Rules(max_dice=dice)
    return gain_probabilities([rules.gains(choice) for choice in rules.choices])


def ours(target: int, dice: int, wipes: bool = False):
    """Solve the game with the solver of the published tables."""
    return solve_simultaneous(throws(dice), target, wipes)


def payoffs(q: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the expected value of V after a round, by (my points, opponent's points, my throw, opponent's throw)."""
    reach, target = q.shape[1], len(V)
    totals = np.arange(target + reach)
    whole = np.sign(np.subtract.outer(totals, totals)).astype(float)
    whole[:target, :target] = V
    following = np.arange(target)[:, None] + np.arange(reach)
    theirs = np.einsum("lj,abj->lab", q, whole[:, following])
    return np.ascontiguousarray(np.einsum("ki,laib->abkl", q, theirs[:, following], optimize=True))


def value_iteration(target: int, dice: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the values and the matrix games of every round."""
    q, V, rounds, change = throws(dice), np.zeros((target, target)), [], np.inf
    ones = np.ones((dice, dice))
    while change > CHANGE:
        M = payoffs(q, V)
        after = np.array([[solve_state(M[a, b], ones)[0] for b in range(target)] for a in range(target)])
        change, V = np.abs(after - V).max(), after
        rounds.append(M.reshape(-1, dice, dice))
    return V, rounds


def program(M: np.ndarray) -> float:
    """Return the value of a matrix game: max v subject to x'M >= v for a mix x."""
    n = len(M)
    return -linprog(
        c=np.append(np.zeros(n), -1),
        A_ub=np.hstack([-M.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0)[None],
        b_eq=[1],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    ).fun


def compare(target: int, dice: int) -> list[str]:
    """Return one row: rounds, programs, the time of each and of all, our time, ratios, and the largest difference."""
    V, rounds = value_iteration(target, dice)
    simplex = cpu_seconds(lambda: value_iteration(target, dice), repeats=1)
    random = np.random.default_rng(1)
    sample = [rounds[r][s] for r, s in random.integers(0, (len(rounds), target * target), (SAMPLE, 2))]
    each = cpu_seconds(lambda: [program(M) for M in sample], repeats=2) / SAMPLE
    count = len(rounds) * target * target
    seconds = cpu_seconds(lambda: ours(target, dice))
    difference = np.abs(ours(target, dice).value - V).max()
    return [
        f"{target}, {dice}",
        str(len(rounds)),
        str(count),
        number(each * 1000),
        number(each * count),
        number(simplex),
        number(seconds * 1000),
        number(each * count / seconds),
        number(simplex / seconds),
        f"{difference:.0e}",
    ]


def main() -> None:
    heading("Hog, simultaneous throws: value iteration with a linear program per state, and our solver state by state")
    header = ["target, dice", "rounds", "programs", "ms each", "s in all", "simplex, s", "ours, ms"]
    header += ["programs / ours", "simplex / ours", "difference"]
    table(header, [compare(*size) for size in COMPARED])
    rows = []
    for target, dice in SIZES:
        mixed = ((ours(target, dice).mix > 0).sum(axis=2) > 1).sum()
        row = [f"{target}, {dice}", str(target * target), str(mixed)]
        row.append(number(cpu_seconds(lambda t=target, d=dice: ours(t, d), repeats=3) * 1000))
        small = target <= 100
        row.append(number(cpu_seconds(lambda t=target, d=dice: ours(t, d, True), repeats=2) * 1000) if small else "")
        rows.append(row)
    table(["target, dice", "states", "of them mixed", "ms", "a 1 loses all, ms"], rows)


if __name__ == "__main__":
    main()
