"""Value iteration in doubles between the turns of a match whose records hold more than each player's distance from the
target, or whose totals can decrease.

The records of a group are solved side by side, repeatedly, from the values of the groups before it (block
Gauss-Seidel). If no record leads to a later group, one sweep is enough and a second changes nothing. Values start at 0
and increase to the least solution, the probabilities of winning if endless play does not win. The solver does not prove
convergence; the certificate proves the values.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dicebase.solvers.turns.compiled import CompiledTurn
from dicebase.solvers.turns.lanes import starts
from dicebase.vocabulary import ConfigurationError
from dicebase.vocabulary.progress import reporter

Stakes = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""The arguments (bank, need, bust, wipe) of lanes.starts."""

ROUNDING, SMALL = 2.0**-53, 1e-14  # relative changes at which sweeps stop: at once, and if changes stop shrinking
MOST = 10_000


def solve_between(
    turn: CompiledTurn, groups: Sequence[np.ndarray], stakes: Callable[[np.ndarray, np.ndarray], Stakes], sense: int = 1
) -> np.ndarray:
    """Return the value of each record, (n,).

    groups : indices of records; as far as possible, a group comes after the groups that its records lead to.
    stakes : called with all values and the indices of some records; returns the values of the ends of their turns.

    Raises ConfigurationError if the first roll of a turn is always lost, or if the values do not converge.
    """
    turn.totals_below(1)
    values, report = np.zeros(sum(map(len, groups))), reporter("record")

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
            report(done, len(values))
        return largest

    _until_still(sweep)
    return values


def _until_still(step: Callable[[], float]) -> float:
    """Repeat `step`, which returns its largest relative change, until changes are only rounding. Return the first
    change."""
    least, waited, first = np.inf, 0, step()
    move = first
    for _ in range(MOST):
        if move <= ROUNDING or (waited > 4 and move <= SMALL):
            return first
        waited = waited + 1 if move >= least else 0
        least = min(least, move)
        move = step()
    raise ConfigurationError("the values between turns do not settle: matches are too long")
