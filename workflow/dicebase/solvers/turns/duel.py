"""Solve a duel: two players alternate turns, and the first to reach the target wins (Neller & Presser 2004 for Pig);
docs/why/solvers.md has the equations of V, the mover's probability of winning, and proves that the solution is unique.

Without wipes, pairs of totals decouple: x = V[a, b] and y = V[b, a] solve x = F(1 - y), y = G(1 - x), where F and G
give the value of a turn as a function of the value of a bust; they are convex and piecewise linear. Pairs with the same
sum are solved side by side. With wipes, all pairs depend on u[b] = V[b, 0]; see `_coupled`.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import rolls, starts
from dicebase.vocabulary.progress import Progress, reporter

NEWTON = 8  # Newton steps before every other step halves the bracket
NARROW = 2.0**-53  # width of a bracket whose ends round to the same probability
ROUNDING = 2.0**-50  # residual at which sweeps stop
MEMORY = 10  # number of earlier sweeps that Anderson acceleration uses

Line = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""(values of a bust, indices of turns) -> (values, slopes) of these turns."""

Turns = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None], Line]
"""(V, mover's totals, opponent's totals, wiped) -> Line of the turns at these totals. V : by (opponent's total,
mover's), 0 from the target on; wiped : (T,), the opponent's values after a wipe, by opponent's total, or None."""


def solve_duel(turn: CompiledTurn, target: int, past: int = 0) -> np.ndarray:
    """Return V[me, opponent], (T, T + past): the mover's probability of winning by units banked; T is the target in
    units.

    target : in points; rounded up to units.
    past : if the opponent of a player who reaches the target has a last turn, the most units by which that player may
        pass the target; 0 if reaching the target wins.

    Raises ConfigurationError if the target is below 1 or the first roll of a turn is always lost.
    """
    T = turn.totals_below(target)
    return solve_pairs(partial(_turns, turn, past), T, turn.wipes, _last_turns(turn, T, past))


def solve_pairs(turns: Turns, T: int, wipes: bool, last: np.ndarray | None = None) -> np.ndarray:
    """Return V, (T, T + past), of a duel with these turns; `wipes` says whether a turn can lose the bank.

    last : (T, past), V during a last turn, by the mover's total and the opponent's from the target on; None if
        reaching the target wins.
    """
    # With wipes, every sweep counts again from 0.
    last, report = np.empty((T, 0)) if last is None else last, reporter("pair")
    if wipes:
        return _coupled(lambda wiped: _sweep(turns, T, wiped, report, last), T)
    return _sweep(turns, T, None, report, last)


def duel_turns(turn: CompiledTurn, values: np.ndarray, me: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (roll, bank), the mover's probability of winning by rolling on and by banking; totals are in units.

    roll : by (opponent: T, turn total: T - me, mode); a turn starts with roll[opponent, 0, 0].
    bank : by (opponent: T, turn total: T - me, or more if `values` has more columns), -inf where banking is forbidden.
    values : from `solve_duel`. me : units banked, less than T.
    """
    T = len(values)
    bank = 1.0 - values[:, me:]
    bank[:, : T - me][:, turn.may_not_bank(T, np.array(me))[: T - me]] = -np.inf
    return rolls(turn, bank.T, np.full(T, T - me), bank[:, 0], 1.0 - values[:, 0]), bank


def _last_turns(turn: CompiledTurn, T: int, past: int) -> np.ndarray:
    """Return the probability of scoring more than the opponent in one turn, by the mover's total and the opponent's
    total from the target on, (T, past). It depends only on their difference."""
    need, nothing = np.arange(1, T + past + 1), np.zeros(T + past)
    # Banking too little loses like a bust, so it does not matter whether the rules allow it.
    best, _ = starts(turn, (need <= np.arange(T + past)[:, np.newaxis]).astype(float), need, nothing, nothing)
    return best[T + np.arange(past) - np.arange(T)[:, np.newaxis]]


def _sweep(turns: Turns, T: int, wiped: np.ndarray | None, report: Progress, last: np.ndarray) -> np.ndarray:
    """Solve all pairs of totals once, in decreasing order of their sum, and return V.

    wiped : (T,) values assumed for V[b, 0] after a wipe. last : as in `solve_pairs`.
    """
    # Turns also read V beyond the target: a row of won games and columns of lost ones, or of last turns.
    past = last.shape[1]
    V = np.full((T + 1, 2 * T + past), np.nan)
    V[T] = 1.0
    V[:T, T:] = 0.0
    V[:T, T : T + past] = last
    done, pairs = 0, T * (T + 1) // 2
    for total in range(2 * T - 2, -1, -1):
        a = np.arange(-(-total // 2), min(total, T - 1) + 1)
        b = total - a
        F, G = turns(V, a, b, wiped), turns(V, b, a, wiped)
        # Extrapolate V as a plane, because a closer guess needs fewer steps.
        guess = V[a + 1, b] + V[a, b + 1] - V[a + 1, b + 1]
        V[a, b], V[b, a] = fixed_points(F, G, np.clip(guess, 0.0, 1.0))
        done += len(a)
        report(done, pairs)
    return V[:T, : T + past].copy()


def _turns(
    turn: CompiledTurn, past: int, V: np.ndarray, me: np.ndarray, opponent: np.ndarray, wiped: np.ndarray | None
) -> Line:
    """Return the Line of turns of these rules; V and `wiped` are the opponent's values."""
    T = len(V) - 1
    need = T - me
    bank = 1.0 - V[opponent, me + np.arange(need.max() + past)[:, np.newaxis]]
    bank[: need.max()][turn.may_not_bank(T, me)[: need.max()]] = -np.inf
    wipe = np.zeros(len(me)) if wiped is None else 1.0 - wiped[opponent]
    return lambda bust, which: starts(turn, bank[:, which], need[which], bust, wipe[which])


def fixed_points(F: Line, G: Line, guess: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y, (n,) within [0, 1], that satisfy x = F(1 - y) and y = G(1 - x) elementwise.

    A Newton step solves the linear system of both players' best policies. A step halves the bracket of the root instead
    if Newton's leaves it, and every other time after the first few, so that it shrinks to the pieces next to the root.
    An element is solved when a Newton step leaves both slopes unchanged: each slope belongs to one piece only.

    guess : (n,), first values of x. F, G : called with (z, indices of z's elements); return values and slopes at z.
    """
    x, y = guess.copy(), np.empty_like(guess)
    low, high = np.zeros_like(x), np.ones_like(x)
    # The slopes of the previous step; NaN if it was not a Newton step.
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
        # The last step of a solved element changes only its rounding.
        x[left] = np.where(solved, np.clip(newton, below, above), to)
        y[left] = theirs
        left = left[~solved]
    return x, y


def _coupled(sweep: Callable[[np.ndarray], np.ndarray], T: int) -> np.ndarray:
    """Solve the duel with wipes by the values after a wipe, u[b] = V[b, 0], and return V.

    `sweep(u)` solves all pairs; let Phi(u) be its V[., 0]. Anderson acceleration (D. G. Anderson 1965) finds the fixed
    point of Phi: the next u would minimise Phi(u) - u if Phi were linear between the last iterates.
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
            return sweep(V[:, 0])  # the last step may have overshot; a plain sweep brings V closer
        u = found[-1]
        if len(gaps) > 1:
            dgap, dfound = np.diff(gaps[-MEMORY:], axis=0).T, np.diff(found[-MEMORY:], axis=0).T
            scale = np.maximum(np.abs(dgap).max(axis=0), np.finfo(float).tiny)
            u = u - dfound @ (np.linalg.lstsq(dgap / scale, gaps[-1])[0] / scale)
        # A larger bank never lowers the value.
        u = np.maximum.accumulate(np.clip(u, 0.0, 1.0))
