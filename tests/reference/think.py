"""THINK alone (T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", UMAP Journal 25, 2004, pp. 41-42): the
most expected points after a number of turns. No value of others is known here but that of one turn, which is Pig's.

Two dice are thrown again and again. Without a 1 their sum is added to the turn total; a single 1 ends the turn, whose
points are lost; a double 1 ends it as well, and all points so far are lost too. The player may hold at any time, which
adds the turn total to the score; with `must_roll` each turn starts with a throw, else it may be passed.

No turn total is the largest, but from some total on holding is right, whatever comes. Let V(s) be the worth of s points
when this turn is over. It never falls in s, and V(s + g) <= V(s) + g, since who has fewer points can play as who has
more. Of 36 throws 25 add 200 points in all, 10 end the turn, one takes all: at turn total t one more throw and then
holding changes 36 times the worth by at most 200 - 11 V(s + t) + 10 V(s) + V(0). Once that is not positive it stays so
for larger t, so that no number of throws gains, as a turn that is never held ends with a 1.

That is so at every t >= 200/11 * (11/10)^m, m being the turns after this one: playing for s + t points as for s keeps
the t unless some turn ends with a double 1, and a turn does so with a chance of at most 1/11.
"""

from fractions import Fraction
from functools import cache

SUMS = {total: 5 - abs(total - 8) for total in range(4, 13)}
"""Ways out of 36 of the sums of two dice without a 1; 10 ways have a single 1, one is a double 1."""


class Think:
    """`one` is the number 1 of the wanted kind: Fraction(1), a float, a Decimal."""

    def __init__(self, must_roll=True, one=Fraction(1)):
        self.must_roll, self.one = must_roll, one
        self.turn = cache(self._turn)

    def worth(self, turns, score):
        """Of `score` points with this number of turns still to start."""
        if turns == 0:
            return score * self.one
        return self.turn(turns, score)[0][0]

    def _turn(self, turns, score):
        """([worth of turn total 0, 1, ...], [worth of throwing there]) up to the first at which holding is proved."""
        bust, wipe = self.worth(turns - 1, score), self.worth(turns - 1, 0)
        last = 0
        while 200 - 11 * self.worth(turns - 1, score + last) + 10 * bust + wipe > 0:
            last += 1
        best, thrown = {}, {}
        for total in range(last + 12, -1, -1):
            best[total] = self.worth(turns - 1, score + total)
            if total <= last:
                thrown[total] = (sum(ways * best[total + s] for s, ways in SUMS.items()) + 10 * bust + wipe) / 36
                best[total] = thrown[total] if self.must_roll and total == 0 else max(best[total], thrown[total])
        return [best[t] for t in range(last + 1)], [thrown[t] for t in range(last + 1)]

    def cap(self, turns, score):
        """The least turn total from which on holding is proved, with this number of turns to go."""
        return len(self.turn(turns, score)[0]) - 1

    def value(self, turns, score=0, total=0):
        """With this number of turns to go, the present one included, in which `total` points are made so far."""
        known = self.turn(turns, score)[0]
        return known[total] if total < len(known) else self.worth(turns - 1, score + total)

    def throws(self, turns, score, total):
        """Whether throwing is better than holding."""
        known = self.turn(turns, score)[1]
        forced = self.must_roll and total == 0
        return forced or (total < len(known) and known[total] > self.worth(turns - 1, score + total))

    def scores(self, turns, score=0):
        """{final score: chance} of who throws only where that is better, followed forwards."""
        ends = {score: self.one}
        for left in range(turns, 0, -1):
            after = {}
            for points, chance in ends.items():
                here = {0: chance}
                for total in range(self.cap(left, points) + 13):
                    if total not in here:
                        continue
                    if not self.throws(left, points, total):
                        after[points + total] = after.get(points + total, 0) + here[total]
                        continue
                    for s, ways in SUMS.items():
                        here[total + s] = here.get(total + s, 0) + ways * here[total] / 36
                    after[points] = after.get(points, 0) + 10 * here[total] / 36
                    after[0] = after.get(0, 0) + here[total] / 36
            ends = after
        return dict(sorted(ends.items()))
