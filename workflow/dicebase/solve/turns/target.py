"""A turn on the way to a target: what the match formats race, reach and duel have in common.

A player stands `need` units from the target. Reaching or passing it ends his turn at once, and play; all ways to do so
are worth the same.
"""

import numpy as np

from dicebase.solve.turns.compiled import OPTIONS, WIPE, CompiledTurn
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
