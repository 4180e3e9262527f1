"""Reference solution of hog with simultaneous throws (Tijms and van der Wal, sections 1, 3.3, 3.4 and 4).

Both choose their dice at once.  As soon as one total reaches the target the larger total wins, equal totals tie; the
payoff is 1, 0 or -1.  Rationals bound every value from below: a stationary mix of dice proves the payoff that it
guarantees, and the other player's guarantee at the mirrored state bounds the value from above.
"""

from fractions import Fraction
from math import lcm

from .hog import gains


def matrix_game(M):
    """(value, x, y) of the matrix game M, rows maximising: the simplex method in rationals with Bland's rule.

    With all entries made positive, max sum(w) subject to M w <= 1, w >= 0 has the optimum 1 / value. The tableau has
    whole numbers over one denominator, the last pivot (J. Edmonds 1967).
    """
    rows, columns = len(M), len(M[0])
    shift = 1 - min(min(row) for row in M)
    A = [[Fraction(entry + shift) for entry in row] for row in M]
    scale = lcm(*(entry.denominator for row in A for entry in row))
    T = [[int(entry * scale) for entry in row] + [int(r == k) for k in range(rows)] + [1] for r, row in enumerate(A)]
    objective = [-1] * columns + [0] * (rows + 1)
    basis, over = [columns + r for r in range(rows)], 1
    while any(cost < 0 for cost in objective[:-1]):
        enter = next(c for c, cost in enumerate(objective) if cost < 0)
        able = (r for r in range(rows) if T[r][enter] > 0)
        leave = min(able, key=lambda r: (Fraction(T[r][-1], T[r][enter]), basis[r]))
        basis[leave] = enter
        pivot = T[leave][enter]
        for row in [*(T[r] for r in range(rows) if r != leave), objective]:
            factor = row[enter]
            row[:] = [(t * pivot - factor * p) // over for t, p in zip(row, T[leave], strict=True)]
        over = pivot
    total = objective[-1]
    y = [Fraction(0)] * columns
    for r, column in enumerate(basis):
        if column < columns:
            y[column] = Fraction(T[r][-1], total)
    return Fraction(over, total * scale) - shift, [Fraction(objective[columns + r], total) for r in range(rows)], y


def final(a, b, target):
    """Section 3.3, (1): the payoff once one of the totals has reached the target, else None."""
    return (a > b) - (a < b) if max(a, b) >= target else None


class Simultaneous:
    """One game in which a 1 scores nothing: `low[a, b]` bounds the value from below, -low[b, a] from above, and the mix
    `mix[a, b]`, a tuple of probabilities of 1, 2, ..., dice, guarantees low[a, b]."""

    def __init__(self, target, dice, sides=6, bits=80):
        self.target, self.dice, self.sides, self.unit = target, dice, sides, 2**bits
        self.low, self.mix, self._sums = {}, {}, {}
        for total in range(2 * target - 2, -1, -1):
            for a in range(max(0, total - target + 1), min(total, target - 1) + 1):
                self._solve(a, total - a)

    def high(self, a, b):
        """Upper bound on the value of (a, b)."""
        return -self.low[b, a]

    def value(self, a, b):
        """Midpoint of the bounds."""
        return (self.low[a, b] + self.high(a, b)) / 2

    def width(self):
        """The widest enclosure."""
        return max(self.high(*state) - self.low[state] for state in self.low)

    def _down(self, number):
        return Fraction(number * self.unit // 1, self.unit)

    def _rounded(self, x):
        """The mix x in multiples of 1 / unit."""
        x = [self._down(p) for p in x]
        x[x.index(max(x))] += 1 - sum(x)
        return tuple(x)

    # A state leads to itself (both score nothing) and to larger scores.

    def _answered(self, a, b, e):
        """Sum over j of q_j^(e) * V(a, b + j), the payoff if the other throws e dice and the own total a stays."""
        if (a, b, e) not in self._sums:
            worth = 0
            for j, p in enumerate(gains(e, self.sides)):
                if p:
                    end = final(a, b + j, self.target)
                    worth += p * (self.low[a, b + j] if end is None else end)
            self._sums[a, b, e] = worth
        return self._sums[a, b, e]

    def scored(self, a, b):
        """A[d-1][e-1], the payoff of d dice against e without the outcome that neither scores; p[d-1][e-1], its chance.

        A uses lower bounds of the later states, so it is a lower bound of the row player's payoff.
        """
        A, p = [], []
        for d in range(1, self.dice + 1):
            q = gains(d, self.sides)
            A.append([])
            p.append([])
            for e in range(1, self.dice + 1):
                zero = gains(e, self.sides)[0]
                stands = 0
                for j, chance in enumerate(gains(e, self.sides)):
                    if j and chance:
                        end = final(a, b + j, self.target)
                        stands += chance * (self.low[a, b + j] if end is None else end)
                moves = sum(w * self._answered(a + i, b, e) for i, w in enumerate(q) if i and w)
                A[-1].append(moves + q[0] * stands)
                p[-1].append(q[0] * zero)
        return A, p

    def _against(self, A, p, x):
        for e in range(self.dice):
            numerator = sum(x[d] * A[d][e] for d in range(self.dice))
            yield numerator / (1 - sum(x[d] * p[d][e] for d in range(self.dice)))

    def _solve(self, a, b):
        """Improve v by the mix of the matrix game that continues with v, until it no longer improves."""
        A, p = self.scored(a, b)
        self.low[a, b] = Fraction(-1)
        while True:
            v = self.low[a, b]
            M = [[self._down(A[d][e] + p[d][e] * v) for e in range(self.dice)] for d in range(self.dice)]
            x = self._rounded(matrix_game(M)[1])
            better = self._down(min(self._against(A, p, x)))
            if better <= v:
                return
            self.low[a, b], self.mix[a, b] = better, x
