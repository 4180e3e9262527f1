"""A turn on the way to a target: what the match formats race, reach and duel have in common.

A player stands `need` units from the target. Reaching or passing it ends his turn at once, and play; all ways to do so
are worth the same.
"""

import numpy as np
from numba import njit

from dicebase.solve.turns.compiled import BUST, ENDS, OPTIONS, WIPE, CompiledTurn
from dicebase.solve.turns.turn import TurnValues, turn_values
from dicebase.vocabulary import ConfigurationError


def totals_below(turn: CompiledTurn, target: int) -> int:
    """T, the number of totals below the target: the target in units, rounded up.

    target : in points.

    Raises ConfigurationError for a target below 1, and where the first roll of a turn is always lost.
    """
    if target < 1:
        raise ConfigurationError(f"target: {target} is not a whole number above 0")
    if not (turn.kind[turn.row_start[0] : turn.row_start[1]] == OPTIONS).any():
        raise ConfigurationError("the first roll of a turn is always lost: no play reaches a target")
    return -(-target // turn.unit)


def check_banked(T: int, total: int) -> None:
    """Raise ValueError unless a player has banked at least nothing and less than the target T, in units."""
    if not 0 <= total < T:
        raise ValueError(f"{total} banked: a total is 0 to {T - 1} units")


def has_wipes(turn: CompiledTurn) -> bool:
    """Whether a roll can take away what was banked in earlier turns."""
    return bool((turn.kind == WIPE).any())


def turn_to_target(
    turn: CompiledTurn, bank: np.ndarray, win: float, bust: float, wipe: float, *, maximise: bool = True
) -> TurnValues:
    """`turn_values` of a turn of a player who stands len(bank) units from the target.

    bank : (need,) what banking t units is worth.
    win : worth of reaching the target, which nothing exceeds.
    bust, wipe, maximise : as for `turn_values`.
    """
    tail = np.full((turn.max_gain, len(turn.modes)), win)
    return turn_values(
        turn, bank, tail, end=np.concatenate([bank, tail[:, 0]]), bust=bust, wipe=wipe, maximise=maximise
    )


def endings(
    turn: CompiledTurn, roll: np.ndarray, bank: np.ndarray, sense: int, tie: float
) -> tuple[np.ndarray, float, float]:
    """How a turn ends: the probabilities of banking t units, with the target last, of a bust and of a wipe.

    roll, bank : q-values by (total, mode) and by total, below what is needed; reaching the target is worth 1.
    sense : 1 where more is better, -1 where less is. To bank is chosen where rolling on is
    not better by more than `tie`.
    """
    arrays = (turn.row_start, turn.sum_of_weights, turn.weight, turn.kind, turn.option_start, turn.gain, turn.next_mode)
    return _follow(turn.period, *arrays, roll, bank, float(sense), tie)


@njit(cache=True, nogil=True)
def _follow(period, row_start, sums, weight, kind, option_start, gain, next_mode, roll, bank, sense, tie):
    need, modes = roll.shape
    visits = np.zeros((need, modes))
    visits[0, 0] = 1.0
    ends = np.zeros(need + 1)
    busts = 0.0
    wiped = 0.0
    for t in range(need):
        for m in range(modes):
            if visits[t, m] == 0.0:
                continue
            row = (t % period) * modes + m
            for o in range(row_start[row], row_start[row + 1]):
                chance = visits[t, m] * weight[o] / sums[row]
                if kind[o] == OPTIONS:
                    best = -np.inf
                    to, mode = need, ENDS
                    for k in range(option_start[o], option_start[o + 1]):
                        x, n = min(t + gain[k], need), next_mode[k]
                        banks = x == need or n == ENDS or sense * (roll[x, n] - bank[x]) <= tie
                        value = 1.0 if x == need else bank[x] if banks else roll[x, n]
                        if sense * value > best:
                            best = sense * value
                            to, mode = x, ENDS if banks else n
                    if mode == ENDS:
                        ends[to] += chance
                    else:
                        visits[to, mode] += chance
                elif kind[o] == BUST:
                    busts += chance
                else:
                    wiped += chance
    return ends, busts, wiped
