"""Rank the actions of many positions of one variant at once, as vocabulary/arithmetic/ranking.py does for one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np


class StoredRows(Protocol):
    """Rows of a table by key, from which decisions follow."""

    def rows(self, name: str, at: np.ndarray) -> np.ndarray:
        """A column at some rows: `value`, or in matches of turns `margin`, which is negative if banking is optimal."""

    def key(self, values: Mapping[str, int | str]) -> list[int]:
        """The key of a row, or its first entries."""

    def numbers(self, key: Sequence[np.ndarray]) -> np.ndarray:
        """The row indices of many keys, given as columns; -1 for a missing row."""

    def record(self, key: Sequence[int]) -> Sequence[float] | None:
        """The numbers of a row, beginning with `value` and `margin`; None for a missing row."""


class Choices(NamedTuple):
    """n positions with the same k possible actions, and the actions' values."""

    names: list[str]  # (k,) in the game's order
    q_values: np.ndarray  # (n, k); NaN if an action is not legal
    found: np.ndarray  # (n,), whether the position exists
    leads_to: np.ndarray  # (n, k) or (k,) integers: actions with equal numbers differ only in name
    certain: bool = False  # whether values 0 and 1 are exact, as for probabilities


class RankedChoices(NamedTuple):
    """Ranked choices."""

    names: list[str]
    found: np.ndarray
    leads_to: np.ndarray
    certain: bool
    values: np.ndarray  # (n,), values of the positions; NaN if no action is legal
    q_values: np.ndarray
    regrets: np.ndarray
    optimal: np.ndarray

    @property
    def best(self) -> np.ndarray:
        """The index of the policy's action, (n,): the first optimal one, or the first of all if none is legal."""
        return self.optimal.argmax(axis=1)

    @property
    def margins(self) -> np.ndarray:
        """The regret of the second-best action, (n,); NaN if only one action is legal."""
        others = self.regrets.copy()
        others[np.arange(len(others)), (others == 0).argmax(axis=1)] = np.nan
        return np.fmin.reduce(others, axis=1)

    @property
    def undecided(self) -> np.ndarray:
        """Whether an action is one of several optimal ones with different entries in `leads_to`, (n, k)."""
        limits = np.iinfo(self.leads_to.dtype)
        least = np.where(self.optimal, self.leads_to, limits.max).min(axis=1, keepdims=True)
        most = np.where(self.optimal, self.leads_to, limits.min).max(axis=1, keepdims=True)
        undecided = self.optimal & (least < most)
        return undecided & (self.q_values > 0) & (self.q_values < 1) if self.certain else undecided

    def actions(self, position: int) -> Iterator[tuple[str, float, float, float, bool, bool]]:
        """Yield (action, q-value, regret, probability, optimal, undecided) of each legal action at a position."""
        columns = self.q_values, self.regrets, self.optimal, self.undecided
        best, columns = self.best[position], (column[position].tolist() for column in columns)
        for i, (name, q, regret, *flags) in enumerate(zip(self.names, *columns, strict=True)):
            if q == q:
                yield name, q, regret, float(i == best), *flags


def rank_choices(choices: Choices, sense: int, tolerance: float) -> RankedChoices:
    """Rank choices: actions within `tolerance` of the best are optimal, and undecided if they differ in `leads_to`.

    sense : 1 if more is better, -1 if less is.
    """
    names, q_values, found, leads_to, certain = choices
    worth = sense * q_values
    best = np.fmax.reduce(worth, axis=1, keepdims=True)
    regrets = best - worth
    optimal = regrets <= tolerance
    return RankedChoices(names, found, leads_to, certain, sense * best[:, 0], q_values, regrets, optimal)
