"""Compute the values of the ends of a match's turns from the values between turns; totals are in units of points.

The match says which record follows the end of a turn, and its value to the mover. Reaching the target has the value 1
(a won match, or the turn that it took), unless the match gives another value for totals up to `past` points beyond it.
Records are in the order of the table, in blocks with the same points of the mover; last turns are in blocks of their
own, because their lengths depend on the opponent's points.
"""

from itertools import pairwise

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns

Worth = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The values of banking, of a bust and of a wipe, by record. Those of banking are also by turn total, which is below
the largest need of the records, or below that plus `past` if points beyond the target count."""


class Stakes:
    """The records of a match: `records`, (columns, records), are their places in an array; `blocks` the records of each
    block; `need`, (records,), the units that end a turn; `values`, (records,), the values between turns.

    In methods, `which` selects records: it is a block, or an array of their numbers."""

    def __init__(self, game: ByTurns) -> None:
        self.game, records = game, np.array(list(game.records())).T
        self.steps = np.array([numbers.step for numbers in game.ranges])[:, np.newaxis]
        self.records = records // self.steps
        self.shape = self.records.max(axis=1) + 1
        self.need = -(-game.to_go(records) // game.unit_of_points)
        self.size, self.past = int(self.need.max()), game.past // game.unit_of_points
        left = -(-(game.target - records[game.mine]) // game.unit_of_points)
        changes = np.flatnonzero(np.diff(left) | np.diff(self.need > left)) + 1
        self.blocks = [slice(*ends) for ends in pairwise([0, *changes.tolist(), records.shape[1]])]
        self.values = np.empty(0)

    def block(self, block: slice) -> Worth:
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

    def after(self, values: np.ndarray, which: slice | np.ndarray) -> Worth:
        """Return the values of the ends of turns, from any values by place."""
        bank, bust, wipe = self.counted(values, which, self.game.reward, self.game.sign, 1)
        needs = self.need[which, np.newaxis]
        total = np.arange(needs.max())
        few = self.too_few(self.records[self.game.mine, which, np.newaxis], total)
        bank[:, : len(total)][few & (total < needs)] = -self.game.sense * np.inf
        return bank, bust, wipe

    def counted(self, values: np.ndarray, which: slice | np.ndarray, reward: int, sign: int, won: int) -> Worth:
        """Return the ends of turns, counted as `won` for a win, 0 for a loss, and otherwise reward + sign * value."""
        at, need = self.records[:, which, np.newaxis], int(self.need[which].max())
        mine, banks = at[self.game.mine], need + self.past
        points = np.concatenate([mine + np.arange(banks), mine, 0 * mine], axis=1) * self.game.unit_of_points
        lost = np.arange(banks + 2) == banks
        wins, loses, following = self.game.ended(at * self.steps[:, np.newaxis], points, lost)
        place = (np.clip(x // s, 0, n - 1) for x, s, n in zip(following, self.steps[:, 0], self.shape, strict=True))
        found = np.where(wins, won, np.where(loses, 0.0, reward + sign * values[tuple(place)]))
        found = np.broadcast_to(found, points.shape).astype(float)
        return found[:, :banks], found[:, banks], found[:, -1]
