"""Fixed policies against each other when both throw at once, and best replies to them, in doubles (docs/why/solvers.md,
Single throws).

From some number of throws on policies do not change: there a round without points, in which nothing changes, is divided
out. A best reply takes the largest value of all throws, which is right state by state because the other's policy does
not depend on what one does.
"""

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel

BEST = -1
"""In the place of a throw: the best reply."""


def play_out(q: np.ndarray, row: np.ndarray, column: np.ndarray) -> float:
    """P(row wins) - P(row loses) from no points.

    q : (throws, gains in units) probabilities; q[:, 0] of nothing, less than one.
    row, column : (L + 1, totals) the throw by throws made, from L on the last row, and own total; row may be BEST.
    """
    size, reach = row.shape[1], q.shape[1]
    totals = np.arange(size + reach)
    V = np.sign(np.subtract.outer(totals, totals)).astype(float)
    V[:size, :size] = 0.0
    _fill(q, row[-1], column[-1], V, 1)
    for made in range(len(row) - 2, -1, -1):
        _fill(q, row[made], column[made], V, 0)
    return float(V[0, 0])


@inner
def _ahead(q, k, other, a, b, V, first):
    """The mean of V after the throws k and l; without the round in which nobody scores if `first` is 1."""
    total = 0.0
    for i in range(q.shape[1]):
        if q[k, i] > 0.0:
            row = 0.0
            for j in range(first if i == 0 else 0, q.shape[1]):
                row += q[other, j] * V[a + i, b + j]
            total += q[k, i] * row
    return total


@kernel
def _fill(q, row, column, V, first):
    """V of the throws made so far, in the place of that of one more: from low totals to high, as gains lead higher.

    With `first` 1 the two are the same: from high to low, and a round in which nobody scores is divided out.
    """
    size = len(row)
    for n in range(size * size):
        a, b = divmod(size * size - 1 - n if first else n, size)
        other = column[b]
        best = -1.0 if row[a] == BEST else -np.inf
        for k in range(len(q)):
            if row[a] == BEST or k == row[a]:
                stays = q[k, 0] * q[other, 0] if first else 0.0
                best = max(best, _ahead(q, k, other, a, b, V, first) / (1.0 - stays))
        V[a, b] = best
