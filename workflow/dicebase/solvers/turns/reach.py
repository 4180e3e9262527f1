"""Maximise the probability of reaching a target within a number of turns, in doubles, by backward induction.

docs/why/solvers.md has the equations. Row l of P[turns left, banked] depends only on row l - 1 and is solved for all
banked totals side by side; a row takes O(T^2) turn totals. Haigh & Roters (2000) instead minimise the expected number
of turns, which for a fixed policy is the sum of 1 - P[l, 0] over l >= 0.
"""

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import starts
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import Progress, silent


def solve_reach(turn: CompiledTurn, target: int, turns: int, progress: Progress = silent) -> np.ndarray:
    """Return P[turns left, banked], (turns + 1, T); banked is in units, T the target in units.

    target : in points; rounded up to units.
    turns : the most turns left, including the one about to be played.
    progress : called with the turns solved and `turns`.

    Raises ConfigurationError if `target` or `turns` is below 1, or if the first roll of a turn is always lost.
    """
    T = turn.totals_below(target)
    if turns < 1:
        raise ConfigurationError(f"turns: {turns} is not a whole number above 0")
    P = np.zeros((turns + 1, T))
    banked = np.arange(T)
    may_not = turn.may_not_bank(T, banked)
    for left in range(1, turns + 1):
        before = np.concatenate([P[left - 1], np.ones(T)])
        bank = before[banked[:, np.newaxis] + banked]
        bank[may_not] = -np.inf
        P[left] = starts(turn, bank, T - banked, P[left - 1], np.full(T, P[left - 1, 0]))[0]
        progress(left, turns)
    return P
