"""Actions of many positions of one variant, ranked at once as `rank` of vocabulary/ranking.py ranks one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np


class StoredRows(Protocol):
    """Rows of a table by their keys; what a decision follows from."""

    def rows(self, name: str, at: np.ndarray) -> np.ndarray:
        """What some rows have in a column: `value`; of matches of turns also `margin`, negative where one banks."""

    def key(self, values: Mapping[str, int | str]) -> list[int]:
        """The key of a row, or the beginning of one."""

    def numbers(self, key: Sequence[np.ndarray]) -> np.ndarray:
        """The rows of many keys, column by column; -1 where there is none."""

    def following(self, prefix: Sequence[int]) -> list[int]:
        """The values of the next column in the keys that begin with `prefix`."""


class Choices(NamedTuple):
    """n positions with the same k possible actions, and what these are worth."""

    names: list[str]  # (k,) in the game's order
    q_values: np.ndarray  # (n, k); NaN of an action that is not legal there
    found: np.ndarray  # (n,) whether there is such a position
    leads_to: np.ndarray  # (n, k) or (k,) whole numbers: actions that lead to the same are one in all but name
    certain: bool = False  # whether 0 and 1 are exact, being probabilities


class RankedChoices(NamedTuple):
    """The same positions ranked."""

    names: list[str]
    found: np.ndarray
    leads_to: np.ndarray
    certain: bool
    values: np.ndarray  # (n,) what the positions are worth; NaN where no action is legal
    q_values: np.ndarray
    regrets: np.ndarray
    optimal: np.ndarray

    @property
    def best(self) -> np.ndarray:
        """The action that the policy takes, the first optimal one, by position; shape (n,). Where no action is legal
        it is the first."""
        return self.optimal.argmax(axis=1)

    @property
    def margins(self) -> np.ndarray:
        """The regret of the second-best action, shape (n,); NaN with one legal action."""
        others = self.regrets.copy()
        others[np.arange(len(others)), (others == 0).argmax(axis=1)] = np.nan
        return np.fmin.reduce(others, axis=1)

    @property
    def undecided(self) -> np.ndarray:
        """Which actions are optimal together with others that do not lead to the same."""
        limits = np.iinfo(self.leads_to.dtype)
        least = np.where(self.optimal, self.leads_to, limits.max).min(axis=1, keepdims=True)
        most = np.where(self.optimal, self.leads_to, limits.min).max(axis=1, keepdims=True)
        undecided = self.optimal & (least < most)
        return undecided & (self.q_values > 0) & (self.q_values < 1) if self.certain else undecided

    def actions(self, position: int) -> Iterator[tuple[str, float, float, float, bool, bool]]:
        """(action, q-value, regret, probability, optimal, undecided) of each legal action of one position."""
        columns = self.q_values, self.regrets, self.optimal, self.undecided
        best, columns = self.best[position], (column[position].tolist() for column in columns)
        for i, (name, q, regret, *flags) in enumerate(zip(self.names, *columns, strict=True)):
            if q == q:
                yield name, q, regret, float(i == best), *flags


def rank_choices(choices: Choices, sense: int, tolerance: float) -> RankedChoices:
    """Those within `tolerance` of the best are optimal, and undecided if several are that do not lead to the same.

    sense : 1 where more is better, -1 where less is.
    """
    names, q_values, found, leads_to, certain = choices
    worth = sense * q_values
    best = np.fmax.reduce(worth, axis=1, keepdims=True)
    regrets = best - worth
    optimal = regrets <= tolerance
    return RankedChoices(names, found, leads_to, certain, sense * best[:, 0], q_values, regrets, optimal)
