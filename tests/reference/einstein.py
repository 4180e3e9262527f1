"""EinStein würfelt nicht! with the stones of each player as pairs of coordinates, seen from the first player's corner.

It finds the probability that the player to move wins, from the rules. A position is (player to move, own stones by
number, opponent's stones); a captured stone is None.
"""

from functools import cache
from itertools import permutations


def without(square, stones):
    """The stones except any stone on a square."""
    return tuple(None if s == square else s for s in stones) if square in stones else stones


class Einstein:
    """The game on a board of some size; `chance` is cached."""

    def __init__(self, size, stones):
        self.size, self.stones = size, stones
        self.chance = cache(self._chance)

    def moves(self, player, mine, theirs, roll):
        """Yield (own stones, opponent's stones, whether the move wins) for each move."""
        alive = [i for i, stone in enumerate(mine) if stone]
        if mine[roll]:
            may = [roll]
        else:
            may = [max((i for i in alive if i < roll), default=None), min((i for i in alive if i > roll), default=None)]
        step, corner = (1, self.size - 1) if player == 0 else (-1, 0)
        for i in (i for i in may if i is not None):
            for rows, columns in ((0, step), (step, 0), (step, step)):
                there = (mine[i][0] + rows, mine[i][1] + columns)
                if 0 <= there[0] < self.size > there[1] >= 0:
                    own = (*without(there, mine[:i]), there, *without(there, mine[i + 1 :]))
                    other = without(there, theirs)
                    yield own, other, there == (corner, corner) or not any(other)

    def after_roll(self, player, mine, theirs, roll):
        """The mover's chance after a throw of `roll` + 1."""
        return max(
            1.0 if won else 1 - self.chance(1 - player, b, a) for a, b, won in self.moves(player, mine, theirs, roll)
        )

    def _chance(self, player, mine, theirs):
        return sum(self.after_roll(player, mine, theirs, roll) for roll in range(self.stones)) / self.stones

    def value(self):
        """The first player's chance, averaged over all orders of the stones."""
        side = {1: 1, 3: 2, 6: 3}[self.stones]
        corner = [(r, c) for r in range(side) for c in range(side - r)]
        far = [(self.size - 1 - r, self.size - 1 - c) for r, c in corner]
        orders = [(a, b) for a in permutations(corner) for b in permutations(far)]
        return sum(self.chance(0, a, b) for a, b in orders) / len(orders)
