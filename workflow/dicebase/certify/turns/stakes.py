"""Compute the values of the ends of a match's turns from the values between turns; totals are in units of points.

The match says which record follows the end of a turn, and its value to the mover. Reaching the target has the value 1
(a won match, or the turn that it took), unless the match gives another value for totals up to `past` points beyond it.
Records are in the order of the table, in blocks with the same points of the mover; last turns are in blocks of their
own, because their lengths depend on the opponent's points.
"""

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns

Worth = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The values of banking, of a bust and of a wipe, by record of a block. Those of banking are also by turn total, which
is below the largest need of the block, or below that plus `past` if points beyond the target count."""


class Stakes:
    """The records of a match: `records`, (columns, records), are their places in an array; `first`, (blocks + 1,), is
    the first record of each block, and the end; `values`, (records,), are the values between turns."""

    def __init__(self, game: ByTurns) -> None:
        self.game, records = game, np.array(list(game.records())).T
        self.steps = np.array([numbers.step for numbers in game.ranges])[:, np.newaxis]
        self.records = records // self.steps
        self.shape = self.records.max(axis=1) + 1
        self.need = -(-game.to_go(records) // game.unit_of_points)
        self.size, self.past = int(self.need.max()), game.past // game.unit_of_points
        left = -(-(game.target - records[game.mine]) // game.unit_of_points)
        changes = np.flatnonzero(np.diff(left) | np.diff(self.need > left)) + 1
        self.first = np.array([0, *changes, records.shape[1]])
        self.blocks = len(self.first) - 1
        self.values = np.empty(0)

    def span(self, block: int) -> tuple[int, int, int]:
        """Return the first record of a block, the record after its last, and the most units that a turn needs."""
        first, end = self.first[block : block + 2].tolist()
        return first, end, int(self.need[first:end].max())

    def needs(self, block: int) -> np.ndarray:
        """Return the units that end each turn of a block, (records of the block,)."""
        first, end, _ = self.span(block)
        return self.need[first:end]

    def block(self, block: int) -> Worth:
        """Return the values of the ends of a block's turns."""
        return self.after(self.by_record(self.values), block)

    def by_record(self, values: np.ndarray) -> np.ndarray:
        """Return the values as an array by place; places without a record, at which no turns are left, are 0."""
        whole = np.zeros(self.shape)
        whole[tuple(self.records)] = values
        return whole

    def too_few(self, banked: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Return whether a turn total is too small to bank, both in units; banking 0 counts as a lost turn."""
        unit, least = self.game.unit_of_points, self.game.rules.least_bank
        return (total > 0) & (total * unit < np.where(banked == 0, least(0), least(1)))

    def after(self, values: np.ndarray, block: int) -> Worth:
        """Return the values of the ends of a block's turns, from any values by place."""
        first, end, need = self.span(block)
        bank, bust, wipe = self.counted(values, block, self.game.reward, self.game.sign, 1)
        total = np.arange(need)
        few = self.too_few(self.records[self.game.mine, first:end, np.newaxis], total)
        bank[:, :need][few & (total < self.needs(block)[:, np.newaxis])] = -self.game.sense * np.inf
        return bank, bust, wipe

    def counted(self, values: np.ndarray, block: int, reward: int, sign: int, won: int) -> Worth:
        """Return the ends of turns, counted as `won` for a win, 0 for a loss, and otherwise reward + sign * value."""
        first, end, need = self.span(block)
        at = self.records[:, first:end, np.newaxis]
        mine, unit = at[self.game.mine], self.game.unit_of_points

        def worth(points: np.ndarray, lost: bool = False) -> np.ndarray:
            shape = np.broadcast_shapes(points.shape, mine.shape)
            wins, loses, following = self.game.ended(at * self.steps[:, np.newaxis], points * unit, lost)
            place = (np.clip(x // s, 0, n - 1) for x, s, n in zip(following, self.steps[:, 0], self.shape, strict=True))
            found = reward + sign * values[tuple(place)]
            return np.broadcast_to(np.where(wins, won, np.where(loses, 0.0, found)), shape).astype(float)

        banks = worth(mine + np.arange(need + self.past))
        return banks, worth(mine, True)[:, 0], worth(np.zeros((1, 1), int))[:, 0]
