"""A race: reach the target in as few turns as possible (Haigh & Roters 2000 for Pig), in doubles.

R[b] is the least expected number of turns from b units banked, by the equations of docs/why/solvers.md (Matches of
turns). The first roll of a turn can score, so that R is finite.

**A bust.** With r for R[b], a turn is worth f(r) = min (c + p r), p the chance of a bust and c >= 1, as the turn
counts: f is concave and f(0) > 0, so there is one r = f(r). Newton's method takes the best line at r, and its root for
the next r, which falls from step to step after the first. A line that has no root, with p = 1, is the best only where r
is too small: r is doubled. It ends when p is that of the step before, since a concave function has a slope on one piece
only.

**A wipe.** R[0] = w is one more unknown. With c[b] the expected number of turns to the target or a wipe, and q[b] the
probability of the target, R[b] = c[b] + (1 - q[b]) w, and what comes out for b = 0 is once more the minimum of lines in
w, one for each way to play all turns. The same method finds w = c[0] / q[0]; nothing is subtracted, so that long races
lose no digits.
"""

from collections.abc import Callable

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import rolls
from dicebase.solvers.turns.plays import follow, greediest
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import Progress, silent


def solve_race(turn: CompiledTurn, target: int, progress: Progress = silent) -> np.ndarray:
    """R[banked] of shape (T,), in turns; banked in units, T the target in units.

    target : in points; rounded up to units.
    progress : called with the totals solved and T, again from none where wipes take several sweeps.

    Raises ConfigurationError for a target below 1, where the first roll of a turn is always lost, and where more turns
    are expected than doubles can count.
    """
    T = turn.totals_below(target)
    w = 0.0
    if turn.wipes:
        w = _root(lambda w: _sweep(turn, T, w, progress)[1:], 1.0)
    return _sweep(turn, T, w, progress)[0]


def race_turn(turn: CompiledTurn, values: np.ndarray, banked: int) -> tuple[np.ndarray, np.ndarray]:
    """(roll, bank): expected turns, this one included, if one rolls on at (turn total, mode index), and if one banks,
    inf where one may not.

    values : as from `solve_race`, of shape (T,).
    banked : in units. Turn totals are those below T - banked; a turn starts with roll[0, 0].
    """
    bank = 1.0 + values[banked:]
    bank[turn.may_not_bank(len(values), np.array(banked))[: len(bank)]] = np.inf
    return _rolling(turn, bank, 1.0 + values[0]), bank


def _rolling(turn: CompiledTurn, bank: np.ndarray, wipe: float) -> np.ndarray:
    """`roll` of `race_turn`, by what banking and a wipe are worth; a bust is to bank nothing."""
    return rolls(turn, bank[:, np.newaxis], np.array([len(bank)]), bank[:1], np.array([wipe]), sense=-1)[0]


def _sweep(turn: CompiledTurn, T: int, w: float, progress: Progress) -> tuple[np.ndarray, float, float]:
    """(R, c[0], q[0]) where a wipe leads to w, from the last total down to 0."""
    # Beyond the last total the target is reached: no more turns, and certainly so.
    R, c, q = np.zeros(T + 1), np.zeros(T + 1), np.ones(T + 1)
    for b in range(T - 1, -1, -1):
        ends, wipe = np.empty(0), 0.0

        def line(r: float, b=b) -> tuple[float, float]:
            """Of the best turn if a bust leads to r."""
            nonlocal ends, wipe
            bank = 1.0 + R[b:T]
            bank[0] = 1.0 + r  # to bank nothing is no choice
            bank[turn.may_not_bank(T, np.array(b))[: T - b]] = np.inf
            roll = _rolling(turn, bank, 1.0 + w)
            decisions = greediest(turn, roll[np.newaxis], bank[np.newaxis], -1, 0.0)
            (ends,), _, (wipe,), _ = follow(turn, decisions, turn.must(T, b))
            return 1.0 + ends @ R[b:] + wipe * w, ends.sum() + wipe

        R[b] = _root(line, 1.0 + R[b + 1])
        c[b] = (1.0 + ends @ c[b:]) / (ends.sum() + wipe)
        q[b] = ends @ q[b:] / (ends.sum() + wipe)
        progress(T - b, T)
    return R[:T], c[0], q[0]


def _root(line: Callable[[float], tuple[float, float]], guess: float) -> float:
    """The r > 0 with r = f(r), f concave and piecewise linear; line(r) gives c > 0 and 1 - p for the best c + p r."""
    r, before, above = guess, np.nan, False
    while np.isfinite(r):
        c, chance = line(r)
        if chance <= 0.0:
            r *= 2.0
            continue
        root = c / chance
        # What does not fall after the first step differs by rounding.
        if chance == before or (above and root >= r):
            return root
        r, before, above = root, chance, True
    raise ConfigurationError("more turns are expected than doubles can count")
