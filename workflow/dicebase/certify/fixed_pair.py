"""Two fixed policies in a duel, and best responses: what they earn, and how wrong that can be.

With fixed policies the chances X of the row player solve a linear system; so does their error, with what is left of
every equation in the place of what it earns. Published chances are therefore wrong by no more than the sum, over the
pairs of totals, of how often a turn begins there and what is left there: of the equation itself, of the rounding of how
turns end, and of decisions that could not be told (`doubt`, which may cost a whole match each).

A best response is at least as good as the policy found here. And U bounds it from above if U is no less than what the
best turn leads to, U being the response's chances and a little for each turn still to come: by induction no policy
earns more than U in any number of turns.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dicebase.certify.finding import EPSILON, Fail
from dicebase.vocabulary.kernels import inner, kernel

STEPS = 100
REFINED = 3  # solutions of what is left
SMALL = 1e-14
LANES = 40  # numbers swept at once


class Ends(NamedTuple):
    """How the turns of a policy end, by the mover's total, the opponent's (or for all at once) and the total after.

    ends : (T, T or 1, T + 1); busts, wipes, doubt, outs : (T, T or 1), `doubt` bounding what is wrong with all of them,
    and `outs` those that lose the match, 0 where none does.
    """

    ends: np.ndarray
    busts: np.ndarray
    wipes: np.ndarray
    doubt: np.ndarray
    outs: np.ndarray | float = 0.0


class Settled(NamedTuple):
    """By the mover's and the other's total: chances to win of row and column as movers; turns to come; and bounds on
    the error of the first turns, row's and column's."""

    X: np.ndarray
    Y: np.ndarray
    row_turns: np.ndarray
    column_turns: np.ndarray
    errors: tuple[float, float]


def settle(row: Ends, column: Ends, fail: Fail) -> Settled:
    """What two policies earn against one another; fails where their matches do not end."""
    pair = _Pair(row, column, fail)
    X, lost = pair.solve(pair.zero, pair.zero + column.outs, 1.0)
    chances = X, 1.0 - lost
    again = _one_turn(*row[:3], chances[1]), _one_turn(*column[:3], chances[0])
    rounding = EPSILON * (len(X) + 6)
    left = [np.abs(x - y) + rounding + play.doubt for x, y, play in zip(chances, again, (row, column), strict=True)]
    return Settled(*chances, *pair.solve(pair.zero + 1.0, pair.zero + 1.0, 0.0), pair.summed(*left))


class _Pair:
    """The equations of two policies, seen by the row player throughout."""

    def __init__(self, row: Ends, column: Ends, fail: Fail) -> None:
        self.arrays, self.fail, size = (*row[:3], *column[:3]), fail, len(row.ends)
        self.zero = np.zeros((size, size))
        self.wipes = bool(row.wipes.any() or column.wipes.any())
        if self.wipes:
            # What one sweep makes of each of the numbers that a wipe leads to.
            units = np.eye(2 * size)
            parts = np.array_split(units, -(-2 * size // LANES), axis=1)
            matrix = np.hstack([np.vstack(self._swept(self.zero, self.zero, 0.0, part)[:, :, 0]) for part in parts])
            self.inverse = np.linalg.inv(units - matrix)

    def _swept(self, own: np.ndarray, own2: np.ndarray, won: float, wiped: np.ndarray) -> np.ndarray:
        """(X, Z), of shape (2, T, T, any), after one sweep from several numbers that a wipe leads to, (2 T, any)."""
        swept = np.zeros((2, *self.zero.shape, wiped.shape[1]))
        swept[:, :, 0] = wiped.reshape(2, -1, wiped.shape[1])
        _sweep(*self.arrays, own, own2, won, *swept)
        return swept

    def solve(self, own: np.ndarray, own2: np.ndarray, won: float) -> tuple[np.ndarray, np.ndarray]:
        """(X, Z), as row or column moves, by (his, the other's total): `own` and `own2` for each turn of theirs, and
        `won` where the row player wins."""
        wiped = np.zeros((2 * len(self.zero), 1))
        for _ in range(REFINED if self.wipes else 0):
            wiped = wiped + self.inverse @ (np.vstack(self._swept(own, own2, won, wiped)[:, :, 0]) - wiped)
        X, Z = self._swept(own, own2, won, wiped)
        return X[:, :, 0], Z[:, :, 0]

    def summed(self, left: np.ndarray, left2: np.ndarray) -> tuple[float, float]:
        """Bounds on what is left, summed along play from the first turns: errors add up, whoever makes them.

        Numbers of which one sweep makes no more are no less than the sums.
        """
        above = [1.1 * x for x in self.solve(left, left2, 0.0)]
        wiped = np.concatenate([x[:, :1] for x in above])
        if not (np.vstack(self._swept(left, left2, 0.0, wiped)[:, :, 0]) <= wiped).all():
            self.fail(None, "matches are so long that doubles prove nothing of them")
        return float(above[0][0, 0]), float(above[1][0, 0])


@kernel(_nrt=True, error_model="numpy")
def _sweep(ends, busts, wipes, e2, b2, w2, own, own2, won, X, Z):
    """X = own + won P(target) + sum of p Z, Z = own2 + sum of p X: by falling totals, what is wiped as it was."""
    size, _, lanes = X.shape
    # What a wipe leads to: the other one moves, with all his points against none.
    wiped, wiped2 = Z[:, 0].copy(), X[:, 0].copy()
    for a in range(size - 1, -1, -1):
        for b in range(size - 1, -1, -1):
            i, j = b % busts.shape[1], a % b2.shape[1]
            for k in range(lanes):
                X[a, b, k] = own[a, b] + won * ends[a, i, size] + wipes[a, i] * wiped[b, k]
                Z[b, a, k] = own2[b, a] + w2[b, j] * wiped2[a, k]
            _add(X[a, b], ends[a, i], Z[b], a + 1)
            _add(Z[b, a], e2[b, j], X[a], b + 1)
            for k in range(lanes):
                X[a, b, k] = (X[a, b, k] + busts[a, i] * Z[b, a, k]) / (1.0 - busts[a, i] * b2[b, j])
                Z[b, a, k] += b2[b, j] * X[a, b, k]


@inner(error_model="numpy")
def _add(found, p, x, first):
    """found += p x from `first` on; of one number four sums side by side, as each waits for the one before."""
    size, lanes = len(x), len(found)
    if lanes == 1:
        one = two = three = four = 0.0
        for t in range(first, size - 3, 4):
            one += p[t] * x[t, 0]
            two += p[t + 1] * x[t + 1, 0]
            three += p[t + 2] * x[t + 2, 0]
            four += p[t + 3] * x[t + 3, 0]
        found[0] += (one + two) + (three + four)
        first = max(first, size - (size - first) % 4)
    for t in range(first, size):
        for k in range(lanes):
            found[k] += p[t] * x[t, k]


def _one_turn(ends: np.ndarray, busts: np.ndarray, wipes: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """What one turn leads to, by what the other's turns are worth to him."""
    after, size = np.broadcast_to(ends, (*theirs.shape, ends.shape[2])), len(theirs)
    banked = np.einsum("abt,bt->ab", after[:, :, :size], 1.0 - theirs)
    return after[:, :, size] + busts * (1.0 - theirs.T) + wipes * (1.0 - theirs[:, 0]) + banked


def respond(
    column: Ends,
    improve: Callable[[np.ndarray], Ends],
    worth: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    fail: Fail,
) -> Settled:
    """What a best response to a policy earns; `errors` bound its distance from what is found here, either way.

    improve : gives a policy that is best by the opponent's chances, by (his total, the mover's).
    worth : gives (what the best turn is worth by such chances, its rounding), by (mover, opponent).
    """
    found = settle(improve(np.full((len(column.ends),) * 2, 0.5)), column, fail)
    for _ in range(STEPS):
        better = settle(improve(found.Y), column, fail)
        if not (better.X - found.X).max() > SMALL:
            break
        found = better
    e = 4 * EPSILON
    while e <= 1e-6:
        X, lost = found.X + e * found.row_turns, found.Y - e * found.column_turns
        best, rounding = worth(lost)
        # 1 - X is what the column player is left with, who plays as he does.
        again = _one_turn(*column[:3], X)
        slack = EPSILON * (len(X) + 6) + column.doubt
        if (best + rounding + EPSILON <= X).all() and (again - slack >= lost).all():
            above = (e * float(turns[0, 0]) for turns in (found.row_turns, found.column_turns))
            return found._replace(errors=tuple(map(max, found.errors, above)))
        e *= 2
    fail(None, "no bound holds for the best response: one turn's deviation gains too much")
