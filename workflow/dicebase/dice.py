"""Exact dice: integer weights, never a float."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod


@cache
def sums(sides: int, dice: int) -> dict[int, int]:
    """How often each sum falls among the sides**dice ordered throws of fair dice: {sum: count}, in rising order."""
    counts = {0: 1}
    for _ in range(dice):
        longer: Counter[int] = Counter()
        for total, count in counts.items():
            for face in range(1, sides + 1):
                longer[total + face] += count
        counts = longer
    return dict(sorted(counts.items()))


def multisets(sides: int, dice: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each unordered throw as sorted faces, with its number of orders; the numbers sum to sides**dice."""
    for faces in combinations_with_replacement(range(1, sides + 1), dice):
        orders = factorial(dice) // prod(factorial(n) for n in Counter(faces).values())
        yield faces, orders
