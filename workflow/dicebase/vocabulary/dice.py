"""Exact dice: integer weights, never a float."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod


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
