"""Exact dice: integer weights, never a float."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

APART, AROUND = " ,;-", "[](){}"
"""Characters that people write between dice, and around them."""


@cache
def sums(sides: int, dice: int) -> dict[int, int]:
    """How often each sum falls among the sides**dice ordered throws of fair dice: {sum: count}, in rising order."""
    return convolve(dict.fromkeys(range(1, sides + 1), 1), dice)


def convolve(faces: dict[int, int], dice: int) -> dict[int, int]:
    """The weights of the sum of some dice with these weighted faces: {sum: weight}, in rising order."""
    weights = {0: 1}
    for _ in range(dice):
        longer: Counter[int] = Counter()
        for total, weight in weights.items():
            for face, one in faces.items():
                longer[total + face] += weight * one
        weights = longer
    return dict(sorted(weights.items()))


def multisets(sides: int, dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each unordered throw as sorted faces, with its number of orders; the numbers sum to sides**dice."""
    for faces in combinations_with_replacement(range(1, sides + 1), dice):
        orders = factorial(dice) // prod(factorial(n) for n in Counter(faces).values())
        yield faces, orders


def as_roll(text: str) -> str:
    """Return a roll as tables write it, sorted digits, from 1,1,3,5,5 or [5, 1, 3, 1, 5]; return other text as it
    is."""
    digits = text.translate(str.maketrans("", "", APART + AROUND))
    return "".join(sorted(digits)) if digits.isascii() and digits.isdigit() else text


class Lattice(NamedTuple):
    """The sets of at most so many dice: those of all dice, which are the rolls, then those of one die fewer, and so on
    down to none; equally many dice in order."""

    sets: tuple[tuple[int, ...], ...]  # as sorted faces
    rolls: int  # how many of them have all dice
    more: tuple[tuple[int, ...], ...]  # of each set of fewer dice: the places of those with one die more, by its face
    keeps: tuple[tuple[int, ...], ...]  # of each roll: the places of its parts, in the same order


@cache
def lattice(sides: int, dice: int) -> Lattice:
    """The lattice of some dice: a mean over the face of one more die, and a maximum over the dice to leave, go along
    its edges."""
    sets = tuple(faces for size in range(dice, -1, -1) for faces, _ in multisets(sides, size))
    place, rolls = {faces: i for i, faces in enumerate(sets)}, sum(len(faces) == dice for faces in sets)
    faces = range(1, sides + 1)
    more = tuple(tuple(place[tuple(sorted((*kept, face)))] for face in faces) for kept in sets[rolls:])
    parts = ({some for size in range(dice + 1) for some in combinations(roll, size)} for roll in sets[:rolls])
    return Lattice(sets, rolls, more, tuple(tuple(sorted(place[part] for part in of)) for of in parts))
