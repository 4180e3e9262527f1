"""What a turn leads to, in each match format, from the published values between turns; in units of points.

Records are in the order of the table, in blocks whose movers stand equally far from the target. To reach the target is
worth 1: a won match, or the one turn it took.
"""

from abc import ABC, abstractmethod

import numpy as np

Worth = tuple[np.ndarray, np.ndarray, np.ndarray]
"""By record of a block: (bank by points below what is needed, bust, wipe)."""


class Around(ABC):
    """`size` totals below the target, `values` by record, `limit` turns where they are limited."""

    sense = 1  # -1 where less is better

    def __init__(self, size: int, limit: int) -> None:
        self.size, self.limit = size, limit
        self.values = np.empty(0)

    @property
    @abstractmethod
    def blocks(self) -> int:
        """How many blocks there are."""

    @abstractmethod
    def span(self, block: int) -> tuple[int, int, int]:
        """(first record, the one after the last, units needed)."""

    @abstractmethod
    def block(self, block: int) -> Worth:
        """What the turns of a block lead to."""


class Race(Around):
    """The fewest turns: this one and those that follow."""

    sense = -1

    @property
    def blocks(self) -> int:
        return self.size

    def span(self, block: int) -> tuple[int, int, int]:
        return block, block + 1, self.size - block

    def block(self, block: int) -> Worth:
        after = 1.0 + self.values
        return after[None, block:], after[block : block + 1], after[:1]


class Reach(Around):
    """The chance of the target: none when no turn is left."""

    @property
    def blocks(self) -> int:
        return self.limit * self.size

    def span(self, block: int) -> tuple[int, int, int]:
        return block, block + 1, self.size - block % self.size

    def block(self, block: int) -> Worth:
        left, banked = divmod(block, self.size)  # turns left after this one
        after = np.zeros(self.size) if left == 0 else self.values.reshape(-1, self.size)[left - 1]
        return after[None, banked:], after[banked : banked + 1], after[:1]


class Duel(Around):
    """The chance to win: what the opponent, who moves next, does not."""

    @property
    def blocks(self) -> int:
        return self.size

    def span(self, block: int) -> tuple[int, int, int]:
        return block * self.size, (block + 1) * self.size, self.size - block

    def block(self, block: int) -> Worth:
        return self.after(self.values.reshape(self.size, self.size), block)

    def after(self, values: np.ndarray, block: int) -> Worth:
        """The same from any values of the opponent, by (opponent, mover)."""
        mine = 1.0 - values
        return mine[:, block:].copy(), mine[:, block].copy(), mine[:, 0].copy()
