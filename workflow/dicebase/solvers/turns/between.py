"""The values between the turns of a match whose records say more than how far each player is from the target, or whose
totals can fall, in doubles: sweeps over all records until none moves.

Records of a group are solved side by side, again and again, from values of the groups before it; where none leads back
to a group behind it one sweep is enough, and a second finds nothing to do. Values begin with those of turns that end
the match at once, so that they only rise, to the least solution: chances of winning where play without an end is no
win. Nothing here says that they have arrived: the certificate does.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import starts
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import Progress, silent

Stakes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""bank, need, bust and wipe, as lanes.starts takes them."""

ROUNDING, SMALL = 2.0**-53, 1e-14  # what sweeps leave, and what rounding may do to numbers that fall no more
MOST = 10_000


def solve_between(
    turn: CompiledTurn,
    groups: Sequence[np.ndarray],
    stakes: Callable[[np.ndarray, np.ndarray], Stakes],
    sense: int = 1,
    progress: Progress = silent,
) -> np.ndarray:
    """The value of each record, (n,).

    groups : the numbers of records, those first that others lead to.
    stakes : what the turns of some records lead to, called with all values and the numbers of the records.

    Raises ConfigurationError where the first roll of a turn is always lost, and where values do not settle.
    """
    turn.totals_below(1)
    values = np.zeros(sum(map(len, groups)))

    def round_of(group: np.ndarray) -> float:
        found, _ = starts(turn, *stakes(values, group), sense)
        move = float(np.abs(found - values[group]).max())
        values[group] = found
        return move / max(1.0, float(np.abs(found).max()))

    def sweep() -> float:
        largest, done = 0.0, 0
        for group in groups:
            largest = max(largest, _until_still(lambda group=group: round_of(group)))
            done += len(group)
            progress(done, len(values))
        return largest

    _until_still(sweep)
    return values


def _until_still(step: Callable[[], float]) -> float:
    """Repeat a step that gives by how much it moves numbers, in parts of the largest, until they are still, or move by
    what rounding does; gives its first move."""
    least, waited, first = np.inf, 0, step()
    move = first
    for _ in range(MOST):
        if move <= ROUNDING or (waited > 4 and move <= SMALL):
            return first
        waited = waited + 1 if move >= least else 0
        least = min(least, move)
        move = step()
    raise ConfigurationError("the values between turns do not settle: matches are too long")
