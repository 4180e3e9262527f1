"""Reaching a target within a number of turns, as probably as possible, in doubles.

P[l, b] is the greatest probability to reach the target within l turns from b units banked: P[0, b] = 0, and in a turn

    reaching the target is worth 1       banking t    P[l - 1, b + t]
    a bust is worth P[l - 1, b]          a wipe       P[l - 1, 0]

Turns only run out: row l follows from row l - 1 alone, for all b side by side. Haigh & Roters (2000) minimise the mean
of the number of turns instead, the sum over l >= 0 of 1 - P[l, 0] under one policy.
"""

import numpy as np

from dicebase.solve.turns.compiled import CompiledTurn
from dicebase.solve.turns.lanes import starts
from dicebase.solve.turns.target import check_banked, totals_below, turn_to_target
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import Progress, silent


def solve_reach(turn: CompiledTurn, target: int, turns: int, progress: Progress = silent) -> np.ndarray:
    """P[turns left, banked] of shape (turns + 1, T), banked in units, T the target in units.

    target : in points; rounded up to units.
    turns : the most turns left; the one about to be played counts as one.
    progress : called with the turns solved and `turns`.

    Raises ConfigurationError for a target or turns below 1, and where the first roll of a turn is always lost.
    """
    T = totals_below(turn, target)
    if turns < 1:
        raise ConfigurationError(f"turns: {turns} is not a whole number above 0")
    P = np.zeros((turns + 1, T))
    banked = np.arange(T)
    for left in range(1, turns + 1):
        before = np.concatenate([P[left - 1], np.ones(T)])
        bank = before[banked[:, np.newaxis] + banked]
        P[left] = starts(turn, bank, T - banked, P[left - 1], np.full(T, P[left - 1, 0]))[0]
        progress(left, turns)
    return P


def reach_turn(turn: CompiledTurn, values: np.ndarray, turns_left: int, banked: int) -> tuple[np.ndarray, np.ndarray]:
    """(roll, bank): the probability of the target after rolling on at (turn total, mode index), and after banking.

    values : as from `solve_reach`, of shape (turns + 1, T).
    turns_left : at least 1; counts the turn being played.
    banked : in units. Turn totals are those below T - banked; a turn starts with roll[0, 0].

    Raises ValueError for a position outside of `values`.
    """
    check_banked(values.shape[1], banked)
    if not 1 <= turns_left < len(values):
        raise ValueError(f"{turns_left} turns left: there are 1 to {len(values) - 1}")
    after = values[turns_left - 1]
    return turn_to_target(turn, after[banked:], 1.0, after[banked], after[0]).roll, after[banked:].copy()
