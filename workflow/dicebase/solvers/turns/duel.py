"""A duel: two players take turns, and the first to reach the target wins (Neller & Presser 2004 for Pig);
docs/why/solvers.md has the equations of V, the mover's chance, and the proof that they have one solution.

**Without wipes pairs decouple.** Given V for larger a + b, x = V[a, b] and y = V[b, a] solve x = F(1 - y), y = G(1 -
x), where F and G, the worth of a turn as a function of that of a bust, are convex and piecewise linear. `fixed_points`
takes Newton's step, which solves the linear system of the two best policies (policy iteration for both players at
once), and keeps a bracket, whose half it takes where a step leaves it, and from some step on every other time: the
bracket shrinks until it touches only the pieces next to the root, and the next step of Newton ends there. It ends when
both slopes are what they were before a step of Newton: then so are the lines, as a convex function has a slope on one
piece only, and the point solves their system. All pairs of one sum are solved side by side.

**With wipes** all pairs depend on u[b] = V[b, 0]; see `_coupled`. The certificate proves what it finds.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import rolls, starts
from dicebase.vocabulary.progress import Progress, silent

NEWTON = 8  # steps of Newton alone; from then on every other step halves the bracket
NARROW = 2.0**-53  # width of a bracket in which probabilities round alike
ROUNDING = 2.0**-50  # what sweeps leave of a fixed point
MEMORY = 10  # sweeps that a secant looks back on

Line = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Values and slopes of some turns, as functions of the value of a bust: called with these values, and which turns."""

Turns = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None], Line]
"""The turns at (V, totals of the mover, totals of the opponent, wiped): V by (opponent, mover), 0 from the target on;
wiped, (T,), the opponent's value by his total after a wipe, if there are wipes."""


def solve_duel(turn: CompiledTurn, target: int, progress: Progress = silent) -> np.ndarray:
    """V[me, opponent] of shape (T, T), in units banked, T the target in units: the mover's probability to win.

    target : in points; rounded up to units.
    progress : called with the pairs solved and the pairs there are, again from none where wipes take several sweeps.

    Raises ConfigurationError for a target below 1, and where the first roll of a turn is always lost.
    """
    return solve_pairs(partial(_turns, turn), turn.totals_below(target), turn.wipes, progress)


def solve_pairs(turns: Turns, T: int, wipes: bool, progress: Progress = silent) -> np.ndarray:
    """V of shape (T, T) of a duel whose turns have these values; `wipes` says whether they can lose the bank."""
    if wipes:
        return _coupled(lambda wiped: _sweep(turns, T, wiped, progress), T)
    return _sweep(turns, T, None, progress)


def duel_turns(turn: CompiledTurn, values: np.ndarray, me: int) -> tuple[np.ndarray, np.ndarray]:
    """(roll, bank): the mover's probability to win if he rolls on, by (opponent, turn total, mode index), of shape (T,
    T - me, modes), and if he banks, (T, T - me), -inf where he may not; all in units. A turn starts with
    roll[opponent, 0, 0].

    values : (T, T) as from `solve_duel`. me : units banked, less than T.
    """
    T = len(values)
    bank = 1.0 - values[:, me:]
    bank[:, turn.may_not_bank(T, np.array(me))[: T - me]] = -np.inf
    return rolls(turn, bank.T, np.full(T, T - me), bank[:, 0], 1.0 - values[:, 0]), bank


def _sweep(turns: Turns, T: int, wiped: np.ndarray | None, progress: Progress) -> np.ndarray:
    """V by all pairs of totals in decreasing order of their sum, each solved once.

    wiped : (T,) what V[b, 0] is taken for after a wipe.
    """
    # A row of games won and columns of games lost, for every total that a turn looks at.
    V = np.full((T + 1, 2 * T), np.nan)
    V[T] = 1.0
    V[:T, T:] = 0.0
    done, pairs = 0, T * (T + 1) // 2
    for total in range(2 * T - 2, -1, -1):
        a = np.arange(-(-total // 2), min(total, T - 1) + 1)
        b = total - a
        F, G = turns(V, a, b, wiped), turns(V, b, a, wiped)
        # As if the probability were a plane here: the closer the guess, the fewer steps.
        guess = V[a + 1, b] + V[a, b + 1] - V[a + 1, b + 1]
        V[a, b], V[b, a] = fixed_points(F, G, np.clip(guess, 0.0, 1.0))
        done += len(a)
        progress(done, pairs)
    return V[:T, :T].copy()


def _turns(turn: CompiledTurn, V: np.ndarray, me: np.ndarray, opponent: np.ndarray, wiped: np.ndarray | None) -> Line:
    """Worths and slopes of turns as a function of the worths of a bust; V and `wiped` are the opponent's."""
    need = len(V) - 1 - me
    bank = 1.0 - V[opponent, me + np.arange(need.max())[:, np.newaxis]]
    bank[turn.may_not_bank(len(V) - 1, me)[: len(bank)]] = -np.inf
    wipe = np.zeros(len(me)) if wiped is None else 1.0 - wiped[opponent]
    return lambda bust, which: starts(turn, bank[:, which], need[which], bust, wipe[which])


def fixed_points(F: Line, G: Line, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The x and y with x = F(1 - y), y = G(1 - x), number by number; all of shape (n,), within 0 and 1.

    F, G : called with (z, which): an argument for each of the numbers `which`; give the values and the slopes there.
    """
    x, y = guess.copy(), np.empty_like(guess)
    low, high = np.zeros_like(x), np.ones_like(x)
    # Those of the step before, where the step from there was Newton's.
    slopes = np.full((2, len(x)), np.nan)
    left, step = np.arange(len(x)), 0
    while len(left):
        step += 1
        at = x[left]
        theirs, r = G(1.0 - at, left)
        mine, s = F(1.0 - theirs, left)
        gap = mine - at
        low[left] = below = np.where(gap >= 0, at, low[left])
        high[left] = above = np.where(gap <= 0, at, high[left])
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = np.where(gap == 0, at, at + gap / (1.0 - r * s))
        solved = (gap == 0) | (slopes[:, left] == (r, s)).all(axis=0) | (above - below <= NARROW)
        follow = (below <= newton) & (newton <= above) & (step <= NEWTON or step % 2 == 1)
        slopes[:, left] = np.where(follow, (r, s), np.nan)
        to = np.where(follow, newton, (below + above) / 2)
        # Where it is solved, the last step is one of rounding.
        x[left] = np.where(solved, np.clip(newton, below, above), to)
        y[left] = theirs
        left = left[~solved]
    return x, y


def _coupled(sweep: Callable[[np.ndarray], np.ndarray], T: int) -> np.ndarray:
    """The duel with wipes, by what they lead to: u[b] = V[b, 0].

    For given u `sweep` gives all pairs, and Phi(u) = V[., 0]. The fixed point of Phi is sought by Anderson's method:
    the next u is where Phi(u) - u would be smallest if Phi were linear between the last ones (D. G. Anderson 1965).
    """
    u = np.full(T, 0.5)
    found, gaps, sizes = [], [], []
    while True:
        V = sweep(u)
        found.append(V[:, 0])
        gaps.append(V[:, 0] - u)
        sizes.append(np.abs(gaps[-1]).max())
        if sizes[-1] <= ROUNDING:
            return V
        if len(sizes) > MEMORY and min(sizes[-3:]) > min(sizes[:-3]) / 2:
            return sweep(V[:, 0])  # the last step may have led away, further than one more sweep leaves
        u = found[-1]
        if len(gaps) > 1:
            dgap, dfound = np.diff(gaps[-MEMORY:], axis=0).T, np.diff(found[-MEMORY:], axis=0).T
            scale = np.maximum(np.abs(dgap).max(axis=0), np.finfo(float).tiny)
            u = u - dfound @ (np.linalg.lstsq(dgap / scale, gaps[-1])[0] / scale)
        # Nobody is worse off with more banked.
        u = np.maximum.accumulate(np.clip(u, 0.0, 1.0))
