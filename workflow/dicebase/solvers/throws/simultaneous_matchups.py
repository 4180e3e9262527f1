"""Fixed policies against each other and best responses in simultaneous throws, in doubles (docs/why/solvers.md, Single
throws). After some number of throws policies no longer change, and sweeps repeat until the values converge. The best
response is maximised state by state, because the other policy does not depend on it."""

import numpy as np

SWEEPS = 100_000


def play_out(q: np.ndarray, row: np.ndarray | None, column: np.ndarray) -> np.ndarray:
    """Return P(row wins) - P(row loses) by (throws made, row's total, column's total). The last index of throws made
    also stands for all larger numbers.

    q : (throws, gains in units), probabilities; q[:, 0] is P(nothing), less than one.
    row, column : (L + 1, totals), the policies, by throws made and own total; if `row` is None, a best response.
    """
    size, limit = column.shape[1], len(column) - 1
    totals = np.arange(size + q.shape[1])
    # Values by totals after a throw; the loop fills in those below the target.
    later = np.sign(np.subtract.outer(totals, totals)).astype(float)
    later[:size, :size] = 0.0
    V = np.empty((limit + 1, size, size))
    for made in range(limit, -1, -1):
        for _ in range(SWEEPS if made == limit else 1):
            before = later[:size, :size].copy()
            V[made] = later[:size, :size] = _one_round(q, None if row is None else row[made], column[made], later)
            # Values can go on changing by a unit in the last place for ever.
            if np.abs(before - V[made]).max() < 1e-16:
                break
    return V


def _one_round(q: np.ndarray, row: np.ndarray | None, column: np.ndarray, later: np.ndarray) -> np.ndarray:
    """Return the expectation of `later` after both players' throws; if `row` is None, the largest over row's throws."""
    size, reach = len(column), q.shape[1]
    own = np.arange(size)[:, np.newaxis]

    def gained(chosen: np.ndarray) -> np.ndarray:
        """Return the distribution of the total after a throw, by the total before it."""
        found = np.zeros((size, size + reach))
        found[own, own + np.arange(reach)] = q[chosen]
        return found

    ahead = later @ gained(column).T  # by (row's total after its throw, column's total)
    if row is not None:
        return gained(row) @ ahead
    return np.max([gained(np.full(size, throw)) @ ahead for throw in range(len(q))], axis=0)
