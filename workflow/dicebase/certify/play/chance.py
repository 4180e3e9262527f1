"""Seeded dice for the referees. Random integers are compared with integer weights, so no probability is rounded.

A number below the sum of the weights is drawn by rejection sampling on its bits; sums of more than 64 bits take several
words. Each game has its own stream (SplitMix64: Steele, Lea and Flood 2014), so its dice are the same on every machine
and do not depend on the other games.
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
    up_to: np.ndarray  # (sides, words) uint64: cumulative weights of each die, highest word first
    mask: np.ndarray  # (dice, words) uint64: the bits of numbers below the sum of each die's weights
    room: np.ndarray  # (words,) uint64: scratch space for the number drawn


def dice(weights: Iterable[Iterable[int]]) -> Dice:
    """Return dice whose sides have these weights, which are positive integers of any size."""
    sums = [list(accumulate(of_a_die)) for of_a_die in weights]
    masks = [(1 << (s[-1] - 1).bit_length()) - 1 for s in sums]
    words = max(1, *(-(-s[-1].bit_length() // 64) for s in sums))
    first = np.cumsum([0, *map(len, sums)])
    up_to, mask = _in_words([n for s in sums for n in s], words), _in_words(masks, words)
    return Dice(first, up_to, mask, np.empty(words, np.uint64))


def _in_words(numbers: list[int], words: int) -> np.ndarray:
    if words == 1:
        return np.array(numbers, np.uint64)[:, None]
    return np.array([[n >> 64 * k & WORD for k in reversed(range(words))] for n in numbers], np.uint64)


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
    number, low, last = dice.room, dice.first[die], dice.first[die + 1] - 1
    while low < last:
        for k in range(len(number)):
            streams[game] += GAMMA
            number[k] = _mixed(streams[game]) & dice.mask[die, k]
        if _below(number, dice.up_to[last]):
            break
    high = last
    while low < high:
        middle = (low + high) // 2
        if _below(number, dice.up_to[middle]):
            high = middle
        else:
            low = middle + 1
    return low - dice.first[die]


@inner
def drawn(streams, game):
    """Return 0 or 1, equally likely."""
    streams[game] += GAMMA
    return np.int64(_mixed(streams[game]) & ONE)


@inner
def _below(one, other):
    for k in range(len(one)):
        if one[k] != other[k]:
            return one[k] < other[k]
    return False
