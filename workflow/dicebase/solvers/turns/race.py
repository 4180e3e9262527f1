"""Solve a race: reach the target in the fewest expected turns (Haigh & Roters 2000 for Pig), in doubles;
docs/why/solvers.md has the equations of R[b], the turns from b units banked (Matches of turns).

**A bust.** With r for R[b], the value of a turn is f(r) = min (c + p r), where p is the probability of a bust and c,
which counts this turn, is at least 1. f is concave and f(0) > 0, so Newton's method finds the one solution of r = f(r);
from the second step on, r decreases. A line with p = 1 has no root, and is best only if r is too small: then r is
doubled. The method stops when p repeats, because a concave function has each slope on one piece only.

**A wipe.** R[0] = w is one more unknown. With c[b] the expected turns to the target or a wipe, and q[b] the probability
of the target, R[b] = c[b] + (1 - q[b]) w; for b = 0 this is again the minimum of lines in w. The same method finds w =
c[0] / q[0] without subtractions, so long races lose no digits.
"""

from collections.abc import Callable

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import rolls
from dicebase.solvers.turns.plays import follow, greediest
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import Progress, reporter


def solve_race(turn: CompiledTurn, target: int) -> np.ndarray:
    """Return R[banked], (T,), in turns; banked is in units, T the target, given in points, rounded up to units.

    Raises ConfigurationError if the target is below 1, the first roll of a turn is always lost, or the expected number
    of turns is too large for doubles.
    """
    # With wipes, every sweep counts again from 0.
    T, report = turn.totals_below(target), reporter("total")
    w = _root(lambda w: _sweep(turn, T, w, report)[1:], 1.0) if turn.wipes else 0.0
    return _sweep(turn, T, w, report)[0]


def race_turn(turn: CompiledTurn, values: np.ndarray, banked: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (roll, bank), the expected number of turns, including this one: `roll` if you roll on, by (turn total,
    mode index), and `bank` if you bank, by turn total, inf where banking is forbidden.

    values : (T,) from `solve_race`.
    banked : in units. Turn totals go up to T - banked - 1; a turn starts with roll[0, 0].
    """
    bank = 1.0 + values[banked:]
    bank[turn.may_not_bank(len(values), np.array(banked))[: len(bank)]] = np.inf
    return _rolling(turn, bank, 1.0 + values[0]), bank


def _rolling(turn: CompiledTurn, bank: np.ndarray, wipe: float) -> np.ndarray:
    """Return `roll` of `race_turn` from the values of banking and of a wipe; a bust has the value of banking 0."""
    return rolls(turn, bank[:, np.newaxis], np.array([len(bank)]), bank[:1], np.array([wipe]), sense=-1)[0]


def _sweep(turn: CompiledTurn, T: int, w: float, report: Progress) -> tuple[np.ndarray, float, float]:
    """Return (R, c[0], q[0]) if the value after a wipe is w, by backward induction over totals."""
    # At the target no more turns are needed, and the target is certain.
    R, c, q = np.zeros(T + 1), np.zeros(T + 1), np.ones(T + 1)
    for b in range(T - 1, -1, -1):
        ends, wipe = np.empty(0), 0.0

        def line(r: float, b=b) -> tuple[float, float]:
            """Return (c, 1 - p) of the best turn if a bust leads to r."""
            nonlocal ends, wipe
            bank = 1.0 + R[b:T]
            bank[0] = 1.0 + r  # the value of a bust: banking 0 is not an option
            bank[turn.may_not_bank(T, np.array(b))[: T - b]] = np.inf
            roll = _rolling(turn, bank, 1.0 + w)
            decisions = greediest(turn, roll[np.newaxis], bank[np.newaxis], -1, 0.0)
            (ends,), _, (wipe,), _ = follow(turn, decisions, turn.must(T, b))
            return 1.0 + ends @ R[b:] + wipe * w, ends.sum() + wipe

        R[b] = _root(line, 1.0 + R[b + 1])
        c[b] = (1.0 + ends @ c[b:]) / (ends.sum() + wipe)
        q[b] = ends @ q[b:] / (ends.sum() + wipe)
        report(T - b, T)
    return R[:T], c[0], q[0]


def _root(line: Callable[[float], tuple[float, float]], guess: float) -> float:
    """Return the r > 0 with r = f(r), f concave and piecewise linear; line(r) gives (c, 1 - p) of the best c + p r."""
    r, before, above = guess, np.nan, False
    while np.isfinite(r):
        c, chance = line(r)
        if chance <= 0.0:
            r *= 2.0
            continue
        root = c / chance
        # From the second step on, only rounding keeps the root from decreasing.
        if chance == before or (above and root >= r):
            return root
        r, before, above = root, chance, True
    raise ConfigurationError("the expected number of turns is too large for doubles")
