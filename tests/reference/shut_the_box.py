"""Shut the Box for one player, in whole numbers; a set of open tiles is a bit mask.

A value at n open tiles is a multiple of 36^-n. Values are stored times 36^tiles, so nothing is rounded.
"""

from fractions import Fraction

ONE = dict.fromkeys(range(1, 7), 6)
TWO = {roll: 6 - abs(roll - 7) for roll in range(2, 13)}
"""The numbers of ways, out of 36, in which one die and two dice show each sum."""
ONE_DIE = {
    "never": lambda tiles: False,
    "above_6_shut": lambda tiles: max(tiles) <= 6,
    "sum_at_most_6": lambda tiles: sum(tiles) <= 6,
}
"""Whether the player may roll one die if these tiles are open."""
OBJECTIVES = {"win": (max, lambda tiles: int(not tiles)), "score": (min, sum)}
"""The best choice, and the value at the end by the tiles still open."""
UNARY = 'UnaryPlus, "Shut the box strategy", github.com/UnaryPlus/shut-the-box-strategy, README'


def tiles_of(mask):
    """The open tiles in rising order."""
    return [k + 1 for k in range(mask.bit_length()) if mask >> k & 1]


class Box:
    """One game, solved when it is made."""

    def __init__(self, tiles, one_die, objective):
        self.full, self.unit = (1 << tiles) - 1, 36**tiles
        self.choose, self.end = OBJECTIVES[objective]
        self.shuts = {roll: [] for roll in TWO | ONE}
        for mask in range(1, self.full + 1):
            if sum(tiles_of(mask)) in self.shuts:
                self.shuts[sum(tiles_of(mask))].append(mask)
        self.values = [self.end([]) * self.unit]
        for mask in range(1, self.full + 1):
            kinds = (TWO, ONE) if ONE_DIE[one_die](tiles_of(mask)) else (TWO,)
            self.values.append(self.choose(self._rolled(mask, ways) for ways in kinds))

    def _best(self, mask, roll):
        after = [self.values[mask ^ shut] for shut in self.shuts[roll] if shut & mask == shut]
        return self.choose(after or [self.end(tiles_of(mask)) * self.unit])

    def _rolled(self, mask, ways):
        value, rest = divmod(sum(count * self._best(mask, roll) for roll, count in ways.items()), 36)
        assert rest == 0
        return value

    def value(self, tiles, roll=None):
        """The value of these open tiles, before a roll or after it."""
        mask = sum(1 << k - 1 for k in tiles)
        return Fraction(self.values[mask] if roll is None else self._best(mask, roll), self.unit)
