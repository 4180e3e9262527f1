"""Shut the Box alone, in whole numbers: a set of open tiles is a bit mask, tile k being the bit of value 2^(k - 1).

Two dice are rolled, or one where `one_die` allows it and the player takes that up. Open tiles whose sum is that of the
roll are shut; if there are none the game ends, as it does when all are shut. `win` is the chance that all get shut,
`score` the expected sum of those still open.

Every roll shuts a tile, so a worth at a mask of n open tiles is a multiple of 36^-n. The tables hold worths times
36^tiles, each mask after all of its subsets, and nothing is ever rounded.

Of one die the printed rules say "if 7, 8 and 9 are all covered", of a box of nine; for larger boxes they say "if every
numbered tile higher than 6 is covered" (Siam Mandalay's rules), which is the same with nine. The letter of the first,
`7_8_9_shut`, differs from it with ten and twelve tiles, though not in the chance to win.
"""

from fractions import Fraction

ONE = dict.fromkeys(range(1, 7), 6)
TWO = {roll: 6 - abs(roll - 7) for roll in range(2, 13)}
"""Ways out of 36 of each sum of one die and of two."""

ONE_DIE = {
    "never": lambda tiles: False,
    "above_6_shut": lambda tiles: max(tiles) <= 6,
    "7_8_9_shut": lambda tiles: not {7, 8, 9} & set(tiles),
    "sum_at_most_6": lambda tiles: sum(tiles) <= 6,
}
"""Whether one die may be rolled when these tiles are open."""

OBJECTIVES = {
    "win": (max, lambda tiles: int(not tiles)),
    "lose": (min, lambda tiles: int(not tiles)),
    "score": (min, sum),
    "digits": (min, lambda tiles: int("".join(map(str, tiles)) or 0)),  # what is open, read as one number
}
"""Which choice is best, and what the end is worth by the tiles still open."""

BUTLER = "W. Butler, \"'Shut The Box' Analysis\", www.durangobill.com/ShutTheBox.html, end-of-game probabilities"
UNARY = 'UnaryPlus, "Shut the box strategy", github.com/UnaryPlus/shut-the-box-strategy, README'
HOPFER = 'B. Hopfer, "Shut the box in one of Flachau\'s libraries", 2014, benjaminhopfer.com'
FIDDLER = 'Z. Wissner-Gross, "Can You Shut the Box?", The Fiddler, 13 September 2024'
FORCED = {"dice": lambda tiles: (ONE,) if sum(tiles) <= 6 else (TWO,)}
FORGETFUL = {"objective": "digits", "without": [2, 3, 4]}
PUBLISHED = [
    (BUTLER, {}, None, "0.071432"),
    (BUTLER, {"one_die": "sum_at_most_6"}, None, "0.097614"),
    (BUTLER, {"one_die": "sum_at_most_6", "most": 2}, None, "0.074194"),
    (UNARY, FORCED, None, "956177159/9795520512"),
    (UNARY, FORCED | {"objective": "lose"}, None, "623306755/58773123072"),
    (FIDDLER, {"tiles": 6, "dice": lambda tiles: (ONE,)}, None, "145/1944"),
    (HOPFER, {"objective": "digits"}, [1, 3, 4, 5, 6, 8, 9], "40935.389"),
    (HOPFER, {"objective": "digits"}, [1, 2, 4, 5, 6, 8, 9], "2689.550"),
    (HOPFER, {"objective": "digits"}, [1, 2, 3, 5, 6, 8, 9], "1842.870"),
    (HOPFER, FORGETFUL, [1, 2, 3, 4, 5, 6, 8, 9], "1950.347"),
    (HOPFER, FORGETFUL, [1, 2, 3, 4, 6, 8, 9], "580.920"),
    (HOPFER, FORGETFUL, [1, 2, 3, 4, 5, 8, 9], "574.532"),
]
"""(source, game, open tiles or None for all, printed value).

Hopfer's program did not know 9 = 2 + 3 + 4: all that he prints is right without that move, and of all moves only
without that. With it the last three are 1944.138, 569.073 and 563.111.

A. van de Kleut ("Shut the Box with Dynamic Programming", avandekleut.github.io) prints 3.92 % for ten tiles, from a
million games by the policy that leaves the most winning sequences of rolls: a policy worth exactly 0.03909142...,
not the optimum, 0.04043803...
"""


def tiles_of(mask):
    """The open tiles, in rising order."""
    return [k + 1 for k in range(mask.bit_length()) if mask >> k & 1]


def mask_of(tiles):
    """The mask of these open tiles."""
    return sum(1 << k - 1 for k in tiles)


class Box:
    """One game. dice(tiles) -> the kinds of roll allowed, instead of `one_die`; at most `most` tiles are shut
    at once, and never just `without`.
    """

    def __init__(self, tiles=9, one_die="never", objective="win", dice=None, most=12, without=()):
        self.full, self.unit = (1 << tiles) - 1, 36**tiles
        self.dice = dice or (lambda open_: (TWO, ONE) if ONE_DIE[one_die](open_) else (TWO,))
        self.choose, self.end = OBJECTIVES[objective]
        self.shuts = {roll: [] for roll in TWO | ONE}
        for mask in range(1, self.full + 1):
            if sum(tiles_of(mask)) in self.shuts and mask.bit_count() <= most and mask != mask_of(without):
                self.shuts[sum(tiles_of(mask))].append(mask)
        self.worths = [self.end([]) * self.unit]
        for mask in range(1, self.full + 1):
            kinds = self.dice(tiles_of(mask))
            self.worths.append(self.choose(self._rolled(mask, ways) for ways in kinds))

    def after(self, mask, roll):
        """The masks that a roll may lead to."""
        return [mask ^ shut for shut in self.shuts[roll] if shut & mask == shut]

    def _best(self, mask, roll):
        ends = [self.end(tiles_of(mask)) * self.unit]
        return self.choose([self.worths[m] for m in self.after(mask, roll)] or ends)

    def _rolled(self, mask, ways):
        worth, rest = divmod(sum(count * self._best(mask, roll) for roll, count in ways.items()), 36)
        assert rest == 0
        return worth

    def value(self, tiles=None, roll=None, dice=None):
        """The worth of these open tiles (None: all), before a roll, before one of 1 or 2 dice, or after a roll."""
        mask = self.full if tiles is None else mask_of(tiles)
        if roll is not None:
            worth = self._best(mask, roll)
        else:
            worth = self._rolled(mask, {1: ONE, 2: TWO}[dice]) if dice else self.worths[mask]
        return Fraction(worth, self.unit)

    def reached(self):
        """The masks before which play can have to roll, and the pairs (mask, roll) after which it can shut tiles."""
        masks, pairs, due = {self.full}, set(), [self.full]
        while due:
            mask = due.pop()
            for roll in {roll for ways in self.dice(tiles_of(mask)) for roll in ways}:
                after = set(self.after(mask, roll))
                pairs |= {(mask, roll)} if after else set()
                due += after - masks - {0}
                masks |= after - {0}
        return masks, pairs
