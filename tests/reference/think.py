"""THINK for one player (Neller and Presser 2004, pp. 41-42): the most expected points after a number of turns.

The player throws two dice until one shows a 1 or the player holds. A single 1 loses the points of the turn, a double 1
all points. Holding adds the turn total to the score. Each turn starts with a throw.

Let V(s) be the value of s points after this turn. V never decreases, and V(s + g) <= V(s) + g. Of 36 throws 25 add
200 points in all, 10 end the turn and one loses everything. At turn total t one more throw, then holding, therefore
changes 36 times the value by at most 200 - 11 V(s + t) + 10 V(s) + V(0). If that is not positive, holding is right here
and at every larger total.
"""

from functools import cache

SUMS = {total: 5 - abs(total - 8) for total in range(4, 13)}
"""The numbers of ways, out of 36, in which two dice without a 1 show each sum."""


class Think:
    """Values by turns left, score and turn total, in floats."""

    def __init__(self):
        self.turn = cache(self._turn)

    def before(self, turns, score):
        """The value of a score before this number of turns."""
        return self.turn(turns, score)[0] if turns else float(score)

    def _turn(self, turns, score):
        """Values at turn total 0, 1, ... up to the first total at which holding is proved best."""
        bust, wipe = self.before(turns - 1, score), self.before(turns - 1, 0)
        last = 0
        while 200 - 11 * self.before(turns - 1, score + last) + 10 * bust + wipe > 0:
            last += 1
        best = {}
        for total in range(last + 12, -1, -1):
            best[total] = self.before(turns - 1, score + total)
            if total <= last:
                thrown = (sum(ways * best[total + s] for s, ways in SUMS.items()) + 10 * bust + wipe) / 36
                best[total] = max(best[total], thrown) if total else thrown
        return [best[t] for t in range(last + 1)]

    def cap(self, turns, score):
        """The least turn total from which on holding is proved best."""
        return len(self.turn(turns, score)) - 1

    def value(self, turns, score, total):
        """The value with this number of turns to go, including the present one, whose total is `total`."""
        known = self.turn(turns, score)
        return known[total] if total < len(known) else self.before(turns - 1, score + total)
