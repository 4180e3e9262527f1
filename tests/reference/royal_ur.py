"""The Royal Game of Ur on boards of any size: the chance that the mover wins, between two bounds that meet.

Each player brings `pieces` pieces along entry + middle + exit squares, numbered from 1; 0 means waiting, and the number
after the last square means home. Both players share the squares of the middle. `dice` dice show 0 or 1 each, and the
mover moves one piece by their sum: not onto an own piece, home by the exact number only, and onto an opponent's piece,
which starts again, unless it stands on a rosette. Landing on a rosette earns another roll. A legal move is compulsory;
without one, and after a 0, the turn passes. A player with all pieces home wins.

These are Finkel's rules as RoyalUr-Java plays them: 4 + 8 + 2 squares, rosettes 4, 8 and 14, 7 pieces, 4 dice. A
position is (own squares, opponent's squares), each a sorted tuple of `pieces` numbers.
"""

from math import comb

import numpy as np

LAMONT = "P. Lamont, finkel2p.rgu of RoyalUr, in the tests of github.com/RoyalUr/RoyalUr-Python"
OLIESLAGERS = {(1, 1): 217, (1, 2): 2956, (2, 2): 9696, (1, 3): 12628, (2, 3): 79760, (3, 3): 157864}
"""Positions by the pieces not yet home, the fewer first: github.com/JeroenOlieslagers/game_of_ur, runtests.jl."""


class Ur:
    """One board, solved on creation: `low` and `high` hold the bounds of the chances, by the numbers in `positions`."""

    def __init__(self, pieces, entry=4, middle=8, exit=2, rosettes=(4, 8, 14), dice=4, width=1e-14):
        self.dice, self.home = dice, entry + middle + exit + 1
        self.shared, self.rosettes = range(entry + 1, entry + middle + 1), frozenset(rosettes)
        self.start, self.won = ((0,) * pieces,) * 2, (self.home,) * pieces
        self.positions, self.moves = {self.start: 0}, []
        for position in (order := [self.start]):  # grows on the way
            self.moves.append([self._moves(position, roll, order) for roll in range(dice + 1)])
        self.low, self.high = np.zeros(len(order)), np.ones(len(order))
        # Pieces that are home stay there, so positions with more pieces at home are solved first.
        groups = {}
        for i, position in enumerate(order):
            groups.setdefault(self.left(position), []).append(i)
        for left in sorted(groups, key=sum):
            self._solve(groups[left], width)

    def left(self, position):
        """How many pieces of each player are not yet home, the fewer first, because the players change places."""
        return tuple(sorted(sum(square < self.home for square in squares) for squares in position))

    def after(self, position, roll):
        """[(position of the next player, whether that is the same player)] of all moves; (None, True) for a win."""
        mine, theirs = position
        found = []
        for square in sorted(set(mine)) if roll else ():
            to = square + roll
            if square == self.home or to > self.home or (to < self.home and to in mine):
                continue
            hit = to in self.shared and to in theirs
            if hit and to in self.rosettes:
                continue
            rest = list(mine)
            rest.remove(square)
            moved = tuple(sorted([*rest, to]))
            left = tuple(sorted(0 if s == to else s for s in theirs)) if hit else theirs
            again = to in self.rosettes
            found.append((None, True) if moved == self.won else ((moved, left) if again else (left, moved), again))
        return found or [((theirs, mine), False)]

    def _moves(self, position, roll, order):
        """As `after`, by the numbers of positions, with -1 for a win; new positions get the next numbers."""
        found = []
        for after, same in self.after(position, roll):
            if after is not None and after not in self.positions:
                self.positions[after] = len(order)
                order.append(after)
            found.append((-1 if after is None else self.positions[after], same))
        return found

    def _solve(self, group, width):
        """Iterate both bounds of a group until they meet.

        The other player's chance is at most `high`, so the mover's is at least 1 - high: each bound of one player
        follows from the opposite bound of the other.
        """
        rows = np.array(group)
        most = max(len(found) for i in group for found in self.moves[i])
        # Rows of fewer moves repeat their first move.
        table = np.array([[found + found[:1] * (most - len(found)) for found in self.moves[i]] for i in group])
        to, same = table[..., 0], table[..., 1].astype(bool)
        chances = np.array([comb(self.dice, roll) for roll in range(self.dice + 1)]) / 2**self.dice
        while (self.high[rows] - self.low[rows]).max() > width:
            bounds = []
            for own, other in ((self.low, self.high), (self.high, self.low)):
                worth = np.where(to < 0, 1.0, np.where(same, own[to], 1 - other[to]))
                bounds.append(worth.max(axis=2) @ chances)
            self.low[rows], self.high[rows] = bounds

    def bounds(self, position=None, roll=None):
        """Bounds on the mover's chance (None: at the start), before the roll or after it."""
        position = position or self.start
        if roll is None:
            i = self.positions[position]
            return float(self.low[i]), float(self.high[i])
        found = []
        for after, same in self.after(position, roll):
            low, high = (1.0, 1.0) if after is None else self.bounds(after)
            found.append((low, high) if same else (1 - high, 1 - low))
        return max(low for low, _ in found), max(high for _, high in found)

    def value(self, position=None, roll=None):
        """The middle of `bounds`."""
        return sum(self.bounds(position, roll)) / 2
