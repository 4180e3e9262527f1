"""Exact dice with integer weights."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

APART, AROUND = " ,;-", "[](){}"
"""Characters that people write between dice and around them."""


@cache
def sums(sides: int, dice: int) -> dict[int, int]:
    """Return {sum: number of ordered throws} of fair dice, in rising order; the numbers add up to sides**dice."""
    return convolve(dict.fromkeys(range(1, sides + 1), 1), dice)


def convolve(faces: dict[int, int], dice: int) -> dict[int, int]:
    """Return {sum: weight} of a throw of `dice` dice with `faces`, {face: weight}, in rising order."""
    weights = {0: 1}
    for _ in range(dice):
        longer: Counter[int] = Counter()
        for total, weight in weights.items():
            for face, one in faces.items():
                longer[total + face] += weight * one
        weights = longer
    return dict(sorted(weights.items()))


def multisets(sides: int, dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each unordered throw as (sorted faces, number of orders); these numbers add up to sides**dice."""
    for faces in combinations_with_replacement(range(1, sides + 1), dice):
        orders = factorial(dice) // prod(factorial(n) for n in Counter(faces).values())
        yield faces, orders


def as_roll(text: str) -> str:
    """Return a roll as sorted digits: `11355` from `1,1,3,5,5` or `[5, 1, 3, 1, 5]`; other text unchanged."""
    digits = text.translate(str.maketrans("", "", APART + AROUND))
    return "".join(sorted(digits)) if digits.isascii() and digits.isdigit() else text


class Lattice(NamedTuple):
    """The multisets of at most n dice: the sets of n dice (the rolls), of n - 1 dice, and so on down to the empty set;
    sets of equal size are sorted."""

    sets: tuple[tuple[int, ...], ...]  # each as sorted faces
    rolls: int  # the number of sets of all n dice
    more: tuple[tuple[int, ...], ...]  # [set of fewer dice - rolls][face - 1]: index of the set with that die added
    keeps: tuple[tuple[int, ...], ...]  # [roll]: indices of its subsets, ascending


@cache
def lattice(sides: int, dice: int) -> Lattice:
    """Return the lattice of some dice. Use `more` for means over one more die and `keeps` for maxima over kept dice."""
    sets = tuple(faces for size in range(dice, -1, -1) for faces, _ in multisets(sides, size))
    place, rolls = {faces: i for i, faces in enumerate(sets)}, sum(len(faces) == dice for faces in sets)
    faces = range(1, sides + 1)
    more = tuple(tuple(place[tuple(sorted((*kept, face)))] for face in faces) for kept in sets[rolls:])
    parts = ({some for size in range(dice + 1) for some in combinations(roll, size)} for roll in sets[:rolls])
    return Lattice(sets, rolls, more, tuple(tuple(sorted(place[part] for part in of)) for of in parts))
