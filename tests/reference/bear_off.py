"""Backgammon's bear-off in rationals: checkers are a sorted tuple of points, and a roll is played die by die.

Every roll lowers the sum of the points, so the recursion ends. `rolls` is the expected number of rolls of one player,
`win` the mover's chance to win against the opponent's position.
"""

from fractions import Fraction
from functools import cache
from itertools import product


@cache
def after(checkers, dice):
    """The positions to which dice can be played in this order."""
    if not dice or not checkers:
        return {checkers}
    die, *rest = dice
    found = set()
    for i, point in enumerate(checkers):
        if point > die:
            found |= after(tuple(sorted((*checkers[:i], point - die, *checkers[i + 1 :]))), tuple(rest))
        elif point == die or point == checkers[-1]:
            found |= after((*checkers[:i], *checkers[i + 1 :]), tuple(rest))
    return found


def plays(checkers, a, b):
    """The positions after a roll."""
    return after(checkers, (a,) * 4) if a == b else after(checkers, (a, b)) | after(checkers, (b, a))


def mean(worth):
    """The mean of worth(a, b) over all rolls of two dice."""
    return sum((worth(*roll) for roll in product(range(1, 7), repeat=2)), Fraction(0)) / 36


@cache
def rolls(checkers):
    """The fewest expected rolls to take all checkers off, before a roll."""
    return 1 + mean(lambda a, b: min(map(rolls, plays(checkers, a, b)))) if checkers else Fraction(0)


@cache
def win(mine, theirs):
    """The best chance of the mover before a roll."""
    return 1 - mean(lambda a, b: min(win(theirs, left) for left in plays(mine, a, b))) if theirs else Fraction(0)
