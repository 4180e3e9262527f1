"""Evaluate two fixed policies in a duel by linear equations (docs/why/solvers.md, Two fixed policies), and count how
often each pair of totals occurs.

Without wipes there are two equations for each pair of totals, solved in decreasing order of their sum. With wipes, all
equations depend on Y[., 0] and X[., 0]. GMRES (Y. Saad and M. Schultz 1986) with iterative refinement solves the linear
system of these 2 T numbers, using only sweeps over all pairs. A best response maximises X against a fixed column policy
by policy iteration (R. Howard 1960): each step makes all turns greedy. A sweep costs O(T^3).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicebase.vocabulary.kernels import kernel

ROUNDING = 1e-14  # smaller improvements are rounding
STEPS = 100
REFINED = 3  # steps of iterative refinement
SWEEPS = 10_000
LEFT = 1e-15  # matches are followed until they go on with at most this probability


class Play(NamedTuple):
    """How the turns of a policy end; the second axis has length 1 if the opponent's total does not matter.

    ends : (T, T or 1, T + 1) probability of each total after a turn that banks, the target last; with last turns
        (T, T or 1, T + P), with a column for each total from the target on.
    busts, wipes : (T, T or 1) probability of losing the turn, and of losing the bank with it.
    last : (T, P) probability of passing the opponent in a last turn, by own total and the opponent's from the target
        on; empty if reaching the target wins.
    """

    ends: np.ndarray
    busts: np.ndarray
    wipes: np.ndarray
    last: np.ndarray = np.empty((0, 0))


def changed(play: Play, other: Play, where: np.ndarray) -> Play:
    """Return the play that takes the turns of `other` at some pairs of totals, `where`, (T, T)."""
    ends = np.where(where[..., np.newaxis], other.ends, play.ends)
    lost = (np.where(where, theirs, mine) for mine, theirs in zip(play[1:3], other[1:3], strict=True))
    return Play(ends, *lost, play.last)


def evaluate(row: Play, column: Play) -> tuple[np.ndarray, np.ndarray]:
    """Return X and Y, each (T, T): the win probabilities of row and column on the move, by (mover's total, other's)."""
    return _solved(row, column, 0.0, 1.0, -1.0)


def turns_to_come(row: Play, column: Play) -> np.ndarray:
    """Return the expected turns of both players in the rest of the match, (T, T), by (row player's total, other's), if
    the row player is to move."""
    return _solved(row, column, 1.0, 0.0, 1.0)[0]


def _solved(row: Play, column: Play, each: float, won: float, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Solve for (X, Y): a turn adds `each`, the target adds `won`, and an opponent's turn adds `won + sign * Y`."""
    T = len(row.ends)
    X, Y = np.empty((T, T)), np.empty((T, T))
    wiped, arrays = np.zeros((2, T)), [np.ascontiguousarray(part) for part in (*row[:3], *column[:3])]
    wins = _wins(row, column), _wins(column, row)

    def sweep() -> np.ndarray:
        _pairs(*arrays, *wins, each, won, sign, wiped, X, Y)
        return np.concatenate([X[:, 0], Y[:, 0]])

    constant = sweep()
    if row.wipes.any() or column.wipes.any():
        from scipy.sparse.linalg import LinearOperator, gmres  # takes half a second; most games do not need it

        def left(z: np.ndarray) -> np.ndarray:
            """Return the residual of the equations z = sweep(z)."""
            wiped.flat[:] = z
            return sweep() - z

        system = LinearOperator((2 * T, 2 * T), lambda z: constant - left(z.ravel()), dtype=float)
        z = constant
        for _ in range(REFINED):
            step, _ = gmres(system, left(z), rtol=1e-12, atol=0.0, restart=2 * T, maxiter=1)
            z = z + step
        wiped.flat[:] = z
        sweep()
    return X, Y


def _wins(play: Play, other: Play) -> np.ndarray:
    """Return the probability that a turn wins the match, (T, T), by (mover's total, other's)."""
    T = len(play.ends)
    reached = np.broadcast_to(play.ends[:, :, T:], (T, T, play.ends.shape[2] - T))
    kept = 1.0 - other.last if other.last.size else np.ones((T, 1))
    return np.einsum("abk,bk->ab", reached, kept)


@kernel
def _pairs(ends, busts, wipes, their_ends, their_busts, their_wipes, wins, their_wins, each, won, sign, wiped, X, Y):
    """Fill X and Y, pairs in decreasing order of their sum. `wins` and `their_wins`, (T, T), are the probabilities that
    a turn wins; `wiped`, (2, T), is X[., 0] and Y[., 0] after a wipe."""
    T = len(X)
    wide, their_width = busts.shape[1], their_busts.shape[1]
    for total in range(2 * T - 2, -1, -1):
        for a in range(max(0, total - T + 1), min(total, T - 1) + 1):
            b = total - a
            i, j = b % wide, a % their_width
            x = each + won * wins[a, b] + wipes[a, i] * (won + sign * wiped[1, b])
            for t in range(a + 1, T):
                x += ends[a, i, t] * (won + sign * Y[b, t])
            y = each + won * their_wins[b, a] + their_wipes[b, j] * (won + sign * wiped[0, a])
            for t in range(b + 1, T):
                y += their_ends[b, j, t] * (won + sign * X[a, t])
            p, q = busts[a, i], their_busts[b, j]
            X[a, b] = (x + p * (won + sign * y + sign * won * q)) / (1.0 - p * q)
            Y[b, a] = y + q * (won + sign * X[a, b])


def best_response(
    column: Play, start: Play, improve: Callable[[np.ndarray], Play]
) -> tuple[Play, np.ndarray, np.ndarray]:
    """Return (play, X, Y) of the best response to a fixed policy, by policy iteration from any play `start`.

    improve : returns the best turns, given the values of the opponent's turns, (T, T + P), those of last turns last.

    Raises ArithmeticError if policy iteration does not converge.
    """
    best = start, *evaluate(start, column)
    for _ in range(STEPS):
        play = improve(np.hstack([best[2], column.last]) if column.last.size else best[2])
        X, Y = evaluate(play, column)
        if not (X - best[1]).max() > ROUNDING:
            return best
        best = play, X, Y
    raise ArithmeticError(f"policies are still improved after {STEPS} steps")


def turns_met(row: Play, column: Play) -> np.ndarray:
    """Return the expected number of turns that begin at each pair of totals if the row player begins the match.

    The result, (2, T, T), is indexed by (0 if the row player moves, otherwise 1; mover's total; other's). Raises
    ArithmeticError if matches have too many wipes to be followed to their end.
    """
    T = len(row.ends)
    met, enters, after = np.zeros((2, T, T)), np.zeros((2, T, T)), np.zeros((2, T, T))
    enters[0, 0, 0] = 1.0
    arrays = [np.ascontiguousarray(part) for part in (*row[:3], *column[:3])]
    for _ in range(SWEEPS):
        after[:] = 0.0
        _meet(*arrays, enters, after, met)
        if after.sum() <= LEFT:
            return met
        enters[:] = after
    raise ArithmeticError(f"matches are not over after {SWEEPS} wipes")


@kernel
def _meet(ends, busts, wipes, their_ends, their_busts, their_wipes, enters, after, met):
    """Follow pairs in increasing order of their sum from the probabilities `enters`, (2, T, T); add the probabilities
    of positions after a wipe to `after`, (2, T, T)."""
    T = met.shape[1]
    wide, their_width = busts.shape[1], their_busts.shape[1]
    for total in range(2 * T - 1):
        for a in range(max(0, total - T + 1), min(total, T - 1) + 1):
            b = total - a
            i, j = b % wide, a % their_width
            p, q = busts[a, i], their_busts[b, j]
            mine, theirs = enters[0, a, b], enters[1, b, a]
            mine, theirs = (mine + q * theirs) / (1.0 - p * q), (theirs + p * mine) / (1.0 - p * q)
            met[0, a, b] += mine
            met[1, b, a] += theirs
            for t in range(a + 1, T):
                enters[1, b, t] += mine * ends[a, i, t]
            for t in range(b + 1, T):
                enters[0, a, t] += theirs * their_ends[b, j, t]
            after[1, b, 0] += mine * wipes[a, i]
            after[0, a, 0] += theirs * their_wipes[b, j]
