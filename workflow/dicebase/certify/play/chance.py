"""Seeded dice for the referees. Random integers are compared with integer weights: a number below their sum is drawn by
rejection sampling on its bits.

Each game has its own stream (SplitMix64: Steele, Lea and Flood 2014), so its dice are the same on every machine and do
not depend on the other games.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from dicebase.vocabulary.kernels import inner, kernel

WORD = 2**64 - 1
GAMMA, FIRST, SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
ONE, S27, S30, S31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)


class Dice(NamedTuple):
    """Dice in the form that `throw` needs: die d has the sides first[d] to first[d + 1] - 1."""

    first: np.ndarray  # (dice + 1,)
    up_to: np.ndarray  # (sides,) uint64: cumulative weights of each die
    mask: np.ndarray  # (dice,) uint64: the bits of numbers below the sum of each die's weights


def dice(weights: Iterable[Iterable[int]]) -> Dice:
    """Return dice whose sides have these weights, positive integers of any size: those whose sum has more than 64 bits
    are rounded to 64 bits, which no number of games can show."""
    sums = [list(accumulate(of_a_die)) for of_a_die in weights]
    sums = [[n >> max(0, s[-1].bit_length() - 64) for n in s] for s in sums]
    masks = [(1 << (s[-1] - 1).bit_length()) - 1 for s in sums]
    up_to = np.array([n for s in sums for n in s], np.uint64)
    return Dice(np.cumsum([0, *map(len, sums)]), up_to, np.array(masks, np.uint64))


def streams(seed: int, games: int) -> np.ndarray:
    """Return the initial state of each game's stream, (games,) uint64; every throw advances it in place."""
    with np.errstate(over="ignore"):
        return _mixed.py_func(np.uint64(seed & WORD) + np.arange(1, games + 1, dtype=np.uint64) * SECOND)


@kernel
def _mixed(z):
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    return z ^ (z >> S31)


@kernel
def throw(dice, die, streams, game):
    """Throw die number `die` in a game: return the side it shows, counted from 0, and advance the game's stream."""
    low, last, number = dice.first[die], dice.first[die + 1] - 1, dice.up_to[dice.first[die + 1] - 1]
    while low < last and number >= dice.up_to[last]:
        streams[game] += GAMMA
        number = _mixed(streams[game]) & dice.mask[die]
    high = last
    while low < high:
        middle = (low + high) // 2
        if number < dice.up_to[middle]:
            high = middle
        else:
            low = middle + 1
    return low - dice.first[die]


@inner
def drawn(streams, game):
    """Return 0 or 1, equally likely."""
    streams[game] += GAMMA
    return np.int64(_mixed(streams[game]) & ONE)
