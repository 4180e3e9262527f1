"""Project Euler 640 by policy iteration: cards 1 to 2 `sides` lie face down, and all of them are to lie face up.

Two dice of `sides` sides show a and b, and one of the cards a, b, a + b is turned over, whichever side it shows; no
turn is passed. The value is the least expected number of turns. A position is the bit mask of the cards that are face
up, card k being the bit of value 2^(k - 1). (The problem starts with all face up and has all face down: the same game.)

A policy says which of the three to turn, by mask and roll; its expected numbers of turns solve a linear system. The
start is a policy that surely ends, and each next one turns what leads to the least of these numbers; it stops where
that is the policy itself. With `exact` the systems are solved in rationals.
"""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
from scipy.sparse import csr_array

EULER = 'Project Euler, problem 640, "Shut the Box"'
TAMND = "brain.tamnd.com/practice/euler/640"
PUBLISHED = [
    (EULER + ", given", 2, "5.673651"),
    (TAMND, 2, "5.67365079365"),
]
"""(source, sides, printed value at the start); with six sides it is in the audit."""


class Cards:
    """One game; `values` by mask."""

    def __init__(self, sides, exact=False):
        self.sides, self.full = sides, (1 << 2 * sides) - 1
        self.rolls = {(a, b): 1 + (a < b) for a, b in combinations_with_replacement(range(1, sides + 1), 2)}
        solve = self._solve_exactly if exact else self._solve
        turned, before = {key: self._first(*key) for mask in range(self.full) for key in self._keys(mask)}, None
        while turned != before:
            self.values, before = solve(turned), turned
            turned = {key: self._better(*key, card) for key, card in before.items()}

    def cards(self, roll):
        """The cards that may be turned after a roll."""
        return sorted({*roll, sum(roll)})

    def after(self, mask, card):
        return mask ^ 1 << card - 1

    def _keys(self, mask):
        return ((mask, roll) for roll in self.rolls)

    def _first(self, mask, roll):
        """The highest card that is face down, if there is one: every card can be the next, so this ends some time."""
        return min(self.cards(roll), key=lambda card: (mask >> card - 1 & 1, -card))

    def _better(self, mask, roll, card):
        """Another card only if that gains more than rounding does, so that the iteration ends."""
        best = min(self.cards(roll), key=lambda other: self.values[self.after(mask, other)])
        gain = self.values[self.after(mask, card)] - self.values[self.after(mask, best)]
        return best if gain > (0 if isinstance(gain, Fraction) else 1e-10) else card

    def _solve(self, turned):
        """v = 1 + P v, in floats, over the masks that are not yet all face up: turn by turn, until nothing changes."""
        leads = [
            (self.rolls[roll] / self.sides**2, mask, self.after(mask, card)) for (mask, roll), card in turned.items()
        ]
        chance, mask, to = zip(*((c, m, t) for c, m, t in leads if t != self.full), strict=True)
        once = csr_array((chance, (mask, to)), shape=(self.full, self.full))
        values, before = np.ones(self.full), np.zeros(self.full)
        while np.abs(values - before).max() > 4 * np.spacing(values.max()):
            values, before = 1 + once @ values, values
        return [*values.tolist(), 0.0]

    def _solve_exactly(self, turned):
        """The same by elimination in rationals; the last column is the right-hand side."""
        rows = [[Fraction(i == j) for j in range(self.full)] + [Fraction(1)] for i in range(self.full)]
        for (mask, roll), card in turned.items():
            if self.after(mask, card) != self.full:
                rows[mask][self.after(mask, card)] -= Fraction(self.rolls[roll], self.sides**2)
        for i in range(self.full):
            pivot = next(r for r in range(i, self.full) if rows[r][i])
            rows[i], rows[pivot] = rows[pivot], rows[i]
            rows[i] = [x / rows[i][i] for x in rows[i]]
            for r in range(self.full):
                if r != i and rows[r][i]:
                    rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
        return [row[-1] for row in rows] + [Fraction(0)]

    def value(self, face_up=(), roll=None):
        """Of these face-up cards, before the next roll; or after that roll, which counts as the turn's."""
        mask = sum(1 << card - 1 for card in face_up)
        if roll is None:
            return self.values[mask]
        return 1 + min(self.values[self.after(mask, card)] for card in self.cards(roll))

    def bracket(self):
        """How far `values` of floats can be from the true ones, relative to these.

        With r the largest |v - T v|, T being the optimality operator, (1 + e) v is a supersolution and (1 - e) v a
        subsolution for e = r / (1 - r), since T (1 + e) v = (1 + e) T v - e.
        """
        worst = 0.0
        for mask in range(self.full):
            up = [k for k in range(1, 2 * self.sides + 1) if mask >> k - 1 & 1]
            backed = sum(ways * self.value(up, roll) for roll, ways in self.rolls.items()) / self.sides**2
            worst = max(worst, abs(self.values[mask] - backed))
        return worst / (1 - worst)
