"""What a turn leads to, in each match format, from the published values between turns; in units of points.

Records are in the order of the table, in blocks whose movers stand equally far from the target. To reach the target is
worth 1: a won match, or the one turn it took.
"""

from abc import ABC, abstractmethod

import numpy as np

Worth = tuple[np.ndarray, np.ndarray, np.ndarray]
"""By record of a block: (bank by points below what is needed, bust, wipe)."""


class Stakes(ABC):
    """`size` totals below the target, `values` by record, `limit` turns where they are limited."""

    def __init__(self, size: int, limit: int = 0) -> None:
        self.size, self.limit = size, limit
        self.blocks, self.records = size * max(1, limit), 1  # of a block
        self.values = np.empty(0)

    def span(self, block: int) -> tuple[int, int, int]:
        """(first record, the one after the last, units needed)."""
        return block * self.records, (block + 1) * self.records, self.size - block % self.size

    @abstractmethod
    def block(self, block: int) -> Worth:
        """What the turns of a block lead to."""


class Race(Stakes):
    """The fewest turns: this one and those that follow."""

    def block(self, block: int) -> Worth:
        after = 1.0 + self.values
        return after[None, block:], after[block : block + 1], after[:1]


class Reach(Stakes):
    """The chance of the target: none when no turn is left."""

    def block(self, block: int) -> Worth:
        left, banked = divmod(block, self.size)  # turns left after this one
        after = np.zeros(self.size) if left == 0 else self.values.reshape(-1, self.size)[left - 1]
        return after[None, banked:], after[banked : banked + 1], after[:1]


class Duel(Stakes):
    """The chance to win: what the opponent, who moves next, does not."""

    def __init__(self, size: int, limit: int = 0) -> None:
        super().__init__(size)
        self.records = size

    def block(self, block: int) -> Worth:
        return self.after(self.values.reshape(self.size, self.size), block)

    def after(self, values: np.ndarray, block: int) -> Worth:
        """The same from any values of the opponent, by (opponent, mover)."""
        mine = 1.0 - values
        return mine[:, block:].copy(), mine[:, block].copy(), mine[:, 0].copy()


FORMATS = {"race": Race, "reach": Reach, "duel": Duel}
