"""Project Euler 640 by policy iteration: the least expected number of turns until all cards lie face up.

Cards 1 to 2 `sides` lie face down at first. Two dice show a and b, and the player turns one of the cards a, b, a + b,
face up or down; no turn is passed. A position is the bit mask of the cards that are face up. A policy names the card to
turn by mask and roll, and its expected numbers of turns solve a linear system.
"""

from itertools import combinations_with_replacement

import numpy as np
from scipy.sparse import csr_array

EULER = 'Project Euler, problem 640, "Shut the Box"'
TAMND = "brain.tamnd.com/practice/euler/640"


class Cards:
    """One game; `values` by mask."""

    def __init__(self, sides):
        self.sides, self.full = sides, (1 << 2 * sides) - 1
        self.rolls = {(a, b): 1 + (a < b) for a, b in combinations_with_replacement(range(1, sides + 1), 2)}
        turned, before = {(m, roll): self._first(m, roll) for m in range(self.full) for roll in self.rolls}, None
        while turned != before:
            self.values, before = self._solve(turned), turned
            turned = {key: self._better(*key, card) for key, card in before.items()}

    def cards(self, roll):
        """The cards that the player may turn after a roll."""
        return sorted({*roll, sum(roll)})

    def after(self, mask, card):
        return mask ^ 1 << card - 1

    def _first(self, mask, roll):
        """The highest allowed card that is face down, or else the highest: a policy under which every game ends."""
        return min(self.cards(roll), key=lambda card: (mask >> card - 1 & 1, -card))

    def _better(self, mask, roll, card):
        """Return another card only if it gains more than a rounding error, so that the iteration ends."""
        best = min(self.cards(roll), key=lambda other: self.values[self.after(mask, other)])
        gain = self.values[self.after(mask, card)] - self.values[self.after(mask, best)]
        return best if gain > 1e-10 else card

    def _solve(self, turned):
        """Solve v = 1 + P v over the masks with a card face down, by iteration until nothing changes."""
        leads = [
            (self.rolls[roll] / self.sides**2, mask, self.after(mask, card)) for (mask, roll), card in turned.items()
        ]
        chance, mask, to = zip(*((c, m, t) for c, m, t in leads if t != self.full), strict=True)
        once = csr_array((chance, (mask, to)), shape=(self.full, self.full))
        values, before = np.ones(self.full), np.zeros(self.full)
        while np.abs(values - before).max() > 4 * np.spacing(values.max()):
            values, before = 1 + once @ values, values
        return [*values.tolist(), 0.0]

    def value(self, face_up, roll):
        """The expected turns from these face-up cards after a roll, including the present turn."""
        mask = sum(1 << card - 1 for card in face_up)
        return 1 + min(self.values[self.after(mask, card)] for card in self.cards(roll))
