"""What the turns of a match lead to, from values between turns; in units of points.

A match says what the points after a turn lead to, and what that is worth to the mover; to reach the target is worth 1:
a won match, or the one turn it took. Records are in the order of the table, in blocks whose movers stand equally far
from the target.
"""

import numpy as np

from dicebase.matches.by_turns import ByTurns

Worth = tuple[np.ndarray, np.ndarray, np.ndarray]
"""By record of a block: (bank by points below what is needed, bust, wipe)."""


class Stakes:
    """`records` has the places of all records among values, a row a column; `first` the first record of each block,
    and the end; `values` are by record."""

    def __init__(self, game: ByTurns) -> None:
        self.game, self.size, records = game, game.totals, np.array(list(game.records())).T
        points = [column.unit == "points" for column in game.record_columns]
        steps = np.where(points, game.unit_of_points, 1)
        self.records = records // steps[:, np.newaxis]
        self.shape = np.where(points, self.size, game.limit + 1)
        changes = np.flatnonzero(np.diff(self.records[game.mine])) + 1
        self.first = np.array([0, *changes, records.shape[1]])
        self.blocks = len(self.first) - 1
        self.values = np.empty(0)

    def span(self, block: int) -> tuple[int, int, int]:
        """(first record, the one after the last, units needed)."""
        first, end = self.first[block : block + 2].tolist()
        return first, end, self.size - int(self.records[self.game.mine, first])

    def block(self, block: int) -> Worth:
        """What the turns of a block lead to."""
        return self.after(self.by_record(self.values), block)

    def by_record(self, values: np.ndarray) -> np.ndarray:
        """Values by place; where no turn is left there is nothing more."""
        whole = np.zeros(self.shape)
        whole[tuple(self.records)] = values
        return whole

    def too_few(self, banked: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Whether a turn total is too small to be banked, both in units; a turn of nothing is a lost one."""
        unit, least = self.game.unit_of_points, self.game.rules.least_bank
        return (total > 0) & (total * unit < np.where(banked == 0, least(0), least(1)))

    def after(self, values: np.ndarray, block: int) -> Worth:
        """The same from any values by place."""
        first, end, need = self.span(block)
        at = self.records[:, first:end, np.newaxis]
        points = at[self.game.mine] + np.arange(need)

        def worth(points: np.ndarray) -> np.ndarray:
            return self.game.reward + self.game.sign * values[tuple(self.game.following(at, points))]

        bank = np.broadcast_to(worth(points), points.shape).copy()
        bank[self.too_few(at[self.game.mine], np.arange(need))] = -self.game.sense * np.inf
        return bank, bank[:, 0].copy(), np.broadcast_to(worth(np.zeros((1, 1), int)), (end - first, 1))[:, 0].copy()
