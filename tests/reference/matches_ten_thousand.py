"""The turn of Ten Thousand with five dice for `reference.matches`, by the configurations of `reference.ten_thousand`.

A position is (turn total in points, dice to roll); after every roll the player keeps scoring dice, then banks or rolls.
"""

from functools import cache

from reference.matches import BUST, Turn
from reference.ten_thousand import DICE, d, frequencies, s, smaller

CHIP = 50


def outcome(n, i):
    """BUST or the options (gain, dice to roll next) of a configuration of n dice; if all dice score, the player keeps
    them all (section 2.2)."""
    kept = {i, *(smaller(i) if d(i) < n else ())}
    return tuple(sorted({(CHIP * s(j), n - d(j) or DICE) for j in kept})) if d(i) else BUST


@cache
def ten_thousand():
    """The turn, by all 6^n rolls of n dice."""
    rolls = {n: tuple((many, outcome(n, i)) for i, many in frequencies(n).items()) for n in range(1, DICE + 1)}
    return Turn(CHIP, DICE, rolls)
