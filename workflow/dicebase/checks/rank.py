"""Expected rolls by rank: does each published row follow from the one before?

E_j[i] is the mean of the median of a roll, E_{j-1}[i-1] and E_{j-1}[i]. A median moves by no more than what moves
most among the three, so the error of row j is at most its residual plus the error of row j - 1.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import median

from dicebase.checks import EPSILON, Finding
from dicebase.game import State
from dicebase.matches.rank import Match
from dicebase.published import Published


def check(
    listing: Match, published: Published, exact: Fraction | None, fail: Callable[[State | None, str], None]
) -> Finding:
    """Recompute every row from the published one before it."""
    values = published.values
    weights, slots = listing.rules.weights, listing.rules.slots
    expected = {(j, i) for j in range(1, slots + 1) for i in range(1, j + 1)}
    if odd := expected ^ values.keys():
        fail(min(odd), "is missing" if min(odd) in expected else "is not part of the table")
    total, largest = sum(weights.values()), max(map(abs, weights))
    residual = error = 0.0
    below = [-math.inf, math.inf]
    for j in range(1, slots + 1):
        row = [values[j, i] for i in range(1, j + 1)]
        again = [
            math.fsum(w * median((x, below[i], below[i + 1])) for x, w in weights.items()) / total for i in range(j)
        ]
        worst = max(abs(a - b) for a, b in zip(row, again, strict=True))
        if not worst <= 1e-9 * largest:
            fail((j, 1 + max(range(j), key=lambda i: abs(row[i] - again[i]))), f"does not follow from row {j - 1}")
        residual = max(residual, worst)
        error += worst + 4 * EPSILON * largest
        below = [-math.inf, *row, math.inf]
    value = math.fsum(i * e for i, e in enumerate(below[1:-1], start=1))
    value_bound = (error + 4 * EPSILON * largest) * slots * (slots + 1) / 2
    return Finding(value, value_bound, error, residual, "residuals of the recurrence, summed over the rows")
