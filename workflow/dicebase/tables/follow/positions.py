"""Values of rolling and banking in a match of turns whose rows are all stored; turns.py derives them from starts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from dicebase.matches.turns.by_turns import ByTurns
from dicebase.tables.follow.ranking import Choices, StoredRows

AT_ONCE = 1 << 16  # positions


class Worths(NamedTuple):
    """Values at n positions and k ways to go on from each; NaN for a missing position or action."""

    found: np.ndarray  # (n, k), whether a turn can reach it
    roll: np.ndarray
    bank: np.ndarray


class Positions(Protocol):
    """Positions of a match of turns, from any source of values."""

    def worths(
        self, record: Sequence[np.ndarray], total: np.ndarray, ways: Sequence[tuple[int, int | np.ndarray]]
    ) -> Worths:
        """The values at n positions, after each of k ways to go on; the first way must add nothing.

        record : the columns of the record, (n,) each.
        total : (n,) turn totals.
        ways : (points added, dice in the hand) of each way.
        """

    def begins(self, record: Sequence[np.ndarray]) -> np.ndarray:
        """The values of starts of turns, (n,); 0 for an impossible record."""


class Match(Protocol):
    """All positions of a match of turns."""

    def parts(self, record: Sequence[np.ndarray], total: np.ndarray) -> Iterator[tuple[np.ndarray, Positions]]:
        """Yield (indices of positions, their source) in batches that are evaluated together; positions with an
        impossible record or turn total are left out."""


class Inside(Match, Positions):
    """Positions whose rows are all stored."""

    def __init__(self, game: ByTurns, stored: StoredRows, variant: Mapping[str, int | str]) -> None:
        self.game, self.stored, self.fixed = game, stored, stored.key(variant)

    def parts(self, record: Sequence[np.ndarray], total: np.ndarray) -> Iterator[tuple[np.ndarray, Positions]]:
        for low in range(0, len(total), AT_ONCE):
            yield np.arange(low, min(low + AT_ONCE, len(total))), self

    def worths(
        self, record: Sequence[np.ndarray], total: np.ndarray, ways: Sequence[tuple[int, int | np.ndarray]]
    ) -> Worths:
        gain, hand = (np.reshape(column, (len(ways), -1)) for column in zip(*ways, strict=True))
        key = np.broadcast_arrays(*self.fixed, *record, total + gain, hand)
        rows = self.stored.numbers([column.ravel() for column in key]).reshape(key[0].shape).T
        value, signed = (np.where(rows >= 0, self.stored.rows(name, rows), np.nan) for name in ("value", "margin"))
        other, banks = value - self.game.sense * np.abs(signed), np.signbit(signed)
        return Worths(rows >= 0, np.where(banks, other, value), np.where(banks, value, other))

    def begins(self, record: Sequence[np.ndarray]) -> np.ndarray:
        start = (0, self.game.rules.modes[0])[: len(self.game.columns) - len(record)]
        key = [*self.fixed, *record, *start]
        rows = self.stored.numbers([np.broadcast_to(x, record[0].shape) for x in key])
        return np.where(rows >= 0, self.stored.rows("value", rows), 0.0)


def roll_or_bank(game: ByTurns, positions: Positions, state: Mapping[str, np.ndarray]) -> Choices:
    """Return the choice between banking and rolling at n positions.

    state : the columns of a row, (n,) int64 each.
    """
    record, total = [state[c.name] for c in game.record_columns], state["turn_total"]
    worths = positions.worths(record, total, [(0, state.get("dice", game.rules.modes[0]))])
    q_values = np.vstack([worths.bank.T, worths.roll.T]).T
    return Choices([game.rules.stop, "roll"], q_values, worths.found[:, 0], np.arange(2))


def group_indices(numbers: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each distinct number in an array of small non-negative integers, with its indices."""
    order = np.argsort(numbers.astype(np.min_scalar_type(numbers.max(initial=0))), kind="stable")
    many = np.bincount(numbers)
    for number, end in zip(np.flatnonzero(many).tolist(), np.cumsum(many[many > 0]).tolist(), strict=True):
        yield number, order[end - many[number] : end]
