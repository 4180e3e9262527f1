"""Sparse linear systems for the values of states that lead to one another, and the text of a loop of play."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import bicgstab, splu

from dicebase.vocabulary.listing import State

ITERATIONS, SMALL = 50, 1000
REFINED = 6  # the most steps of refinement
EPSILON = 2.0**-52
SHOWN = 4  # the most positions of a loop in a message


def solve_linear(
    matrix: csr_array, right: np.ndarray, start: np.ndarray, direct: bool = False
) -> tuple[np.ndarray, bool]:
    """Solve a sparse system by iterative refinement, to about the rounding error of its largest term. Returns
    (solution, whether the matrix was factorised).

    direct : skip the iterations. If play mixes well, a few dozen iterations are enough (Bi-CGSTAB, van der Vorst 1992),
    and the factors of a direct solver would be dense. Iterations fail on long paths, whose factors are sparse. The
    diagonal dominates each row, so factors need no pivots. A small system is solved directly, each row to the rounding
    error of its own terms.
    """
    found, factors, least, direct = start.copy(), None, np.inf, direct or len(right) <= SMALL
    # The residual has the rounding of its own sums, below which iterations cannot get it.
    rounded = EPSILON * (2 + np.diff(matrix.indptr).max() / 8)
    for _ in range(REFINED):
        left = right - matrix @ found
        terms = np.maximum(np.abs(right) + abs(matrix) @ np.abs(found), np.finfo(float).tiny)
        size = np.max(np.abs(left) / (terms if direct else terms.max()))
        stalls = size > least / 2
        if not size > EPSILON or (stalls and (direct or size <= rounded)):
            break
        direct |= stalls
        least = size
        if not direct:
            # Scale the right side, because Bi-CGSTAB stops early at small numbers.
            scale = np.abs(left).max()
            more, failed = bicgstab(matrix, left / scale, rtol=1e-6, maxiter=ITERATIONS + len(right) // 1000)
            more, direct = more * scale, failed != 0
        if direct:
            if factors is None:
                factors = splu(matrix.tocsc(), "MMD_AT_PLUS_A", 0.0, options={"SymmetricMode": True})
            more = factors.solve(left)
        found += more
    return found, direct


def loop_from(place: int, follow: Callable[[int], int]) -> list[int]:
    """Call `follow` repeatedly from a place, and return the places of the loop that this ends in, in order."""
    found: dict[int, int] = {}
    while place not in found:
        found[place] = len(found)
        place = follow(place)
    return [*found][found[place] :]


def loop_text(loop: Sequence[tuple[State, str]]) -> str:
    """A loop of positions and actions as text: `(0,) 'wait' -> (1,) 'back' -> (0,)`."""
    ways = [f"{state!r:.80} {action!r:.80} -> " for state, action in loop]
    if len(ways) > SHOWN:
        ways[SHOWN - 1 :] = [f"... ({len(loop)} positions) ... -> "]
    return f"{''.join(ways)}{loop[0][0]!r:.80}"
