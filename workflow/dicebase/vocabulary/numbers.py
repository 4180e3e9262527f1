"""Numbers for what is asked for, in the order of asking, and keys that tell equal things of two types apart."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from itertools import count, islice, pairwise
from marshal import dumps

import numpy as np

HEAD, WIDTH = 5, 5  # bytes that marshal writes for a list before its entries, and for a small whole number


class Numbers(defaultdict):
    """Whatever is looked up and has no number yet gets the next one, from 0."""

    def __init__(self) -> None:
        super().__init__(count().__next__)  # its own length would make it refer to itself, and outlive its use

    def since(self, known: int) -> list[Hashable]:
        """What has got a number since `known` were there."""
        return [*islice(reversed(self), len(self) - known)][::-1]


def keys_of_falls(ends: Sequence[int], *columns: Sequence) -> list[Hashable]:
    """Return a key for how the dice fall between each two ends: equal keys have the same entries of the same types.

    columns : the weights, rewards and signs of many outcomes. Small whole numbers are compared as bytes, which takes no
    longer than without their types.
    """
    with suppress(ValueError):  # a Fraction has no bytes
        written = [dumps(column, 2)[HEAD:] for column in columns]
        if all(column[::WIDTH] == b"i" * ends[-1] for column in written):
            rows = np.hstack([np.frombuffer(column, f"V{WIDTH}")[:, None] for column in written]).tobytes()
            return [rows[i:j] for i, j in pairwise([len(columns) * WIDTH * end for end in ends])]
    rows = [*zip(*columns, *(map(type, column) for column in columns), strict=True)]
    return [tuple(rows[i:j]) for i, j in pairwise(ends)]
