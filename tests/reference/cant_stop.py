"""Can't Stop for one player: the expected turns from each position between turns, by iterating the cost of a lost turn.

A position is a pair of tuples: squares kept, squares climbed. Squares only grow within a turn, so one
recursion values a turn, given a guess x for the value of the kept position; the true value is the fixed point.
"""

from collections import Counter
from itertools import permutations, product


class CantStop:
    """The game; worth(kept) is the fewest expected turns, exact except for rounding."""

    def __init__(self, sides, shortest, goal):
        self.tops = [shortest + 2 * min(i, 2 * sides - 2 - i) for i in range(2 * sides - 1)]
        self.goal = goal
        self.rolls = Counter(tuple(sorted(roll)) for roll in product(range(sides), repeat=4))
        self.all, self.cached = sides**4, {}

    def climbs(self, kept, climbed, roll):
        """The squares that a throw can lead to."""
        found = set()
        for a, b, c, d in set(permutations(roll)):
            now = list(climbed)
            for column in (a + b, c + d):
                free = sum(x != y for x, y in zip(kept, now, strict=True)) < 3 or now[column] != kept[column]
                now[column] += free and now[column] < self.tops[column]
            found.add(tuple(now))
        return found - {climbed}

    def won(self, climbed):
        """Whether enough columns are complete."""
        return sum(x == top for x, top in zip(climbed, self.tops, strict=True)) >= self.goal

    def turn(self, kept, lost):
        """The expected turns from here, this turn included; `lost` is the expected number after a lost turn."""
        return self._throw(kept, kept, lost, {})

    def after(self, kept, climbed, lost):
        """The expected turns from the middle of a turn, with the choice to throw or to stop."""
        return self._after(kept, climbed, lost, {})

    def _throw(self, kept, climbed, lost, known):
        worth = 0.0
        for roll, weight in self.rolls.items():
            found = [self._after(kept, there, lost, known) for there in self.climbs(kept, climbed, roll)]
            worth += weight * min(found, default=1 + lost)
        return worth / self.all

    def _after(self, kept, climbed, lost, known):
        if self.won(climbed):
            return 1.0
        if climbed not in known:
            known[climbed] = min(self._throw(kept, climbed, lost, known), 1 + self.worth(climbed))
        return known[climbed]

    def worth(self, kept):
        """The fewest expected turns from here."""
        if kept not in self.cached:
            x, y = 0.0, self.turn(kept, 0.0)
            while y - x > 1e-15 * y:
                x, y = y, self.turn(kept, y)
            self.cached[kept] = y
        return self.cached[kept]
