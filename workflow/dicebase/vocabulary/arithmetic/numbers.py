"""Consecutive numbers for values in order of first lookup, and keys that tell equal values of different types apart."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from itertools import count, islice, pairwise
from marshal import dumps

import numpy as np

HEAD, WIDTH = 5, 5  # bytes that marshal writes before the entries of a list, and for a small integer


class Numbers(defaultdict):
    """A dict that gives each new key the next number, from 0."""

    def __init__(self) -> None:
        super().__init__(count().__next__)  # `self.__len__` would make a reference cycle and delay freeing it

    def since(self, known: int) -> list[Hashable]:
        """The keys with numbers from `known` on."""
        return [*islice(reversed(self), len(self) - known)][::-1]


def keys_of_falls(ends: Sequence[int], *columns: Sequence) -> list[Hashable]:
    """Return a key for each group of outcomes: groups with equal keys have equal entries of equal types.

    ends : offsets of the groups, from 0 to the number of outcomes.
    columns : weights, rewards and signs of all outcomes. Small integers are compared as bytes, which makes the check of
        types free.
    """
    with suppress(ValueError):  # marshal cannot write a Fraction
        written = [dumps(column, 2)[HEAD:] for column in columns]
        if all(column[::WIDTH] == b"i" * ends[-1] for column in written):
            rows = np.hstack([np.frombuffer(column, f"V{WIDTH}")[:, None] for column in written]).tobytes()
            return [rows[i:j] for i, j in pairwise([len(columns) * WIDTH * end for end in ends])]
    rows = [*zip(*columns, *(map(type, column) for column in columns), strict=True)]
    return [tuple(rows[i:j]) for i, j in pairwise(ends)]
